/** The archive of Python files, see `python_archive` in browser/bundle.py. Workers read it, and whoever writes a page (memory.mjs). */

export const LIBRARY = "/lib/rulesrun"; // the folder of the files
const FILE_MODE = 0o100644; // a file that everybody may read

/** Writes the files of an archive. @param {ArrayBuffer} archive @param {any} files of Pyodide */
export function unpack(archive, files) {
  const length = new DataView(archive).getUint32(0, true);
  let at = 4 + length;
  const folders = new Map();
  for (const [name, size] of JSON.parse(new TextDecoder().decode(new Uint8Array(archive, 4, length)))) {
    const [, path, last] = /^(.*)\/([^/]*)$/.exec(`${LIBRARY}/${name}`) ?? [];
    if (!folders.has(path)) {
      files.mkdirTree(path);
      folders.set(path, files.lookupPath(path).node);
    }
    // as `files.writeFile` does, which looks for the folder of each file and opens it
    const file = files.filesystems.MEMFS.createNode(folders.get(path), last, FILE_MODE, 0);
    file.contents = new Uint8Array(archive, at, size);
    file.usedBytes = size;
    at += size;
  }
}
