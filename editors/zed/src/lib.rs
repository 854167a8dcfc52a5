//! Starts the language server of rulesrun in Zed. Zed itself reads the setting `lsp.rulesrun.binary`, which names another program.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Rulesrun;

impl zed::Extension for Rulesrun {
    fn new() -> Self {
        Rulesrun
    }

    fn language_server_command(
        &mut self,
        _server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        Ok(Command {
            command: worktree.which("rulesrun").ok_or(
                "rulesrun is not on the PATH; the setting lsp.rulesrun.binary can name it",
            )?,
            args: vec!["lsp".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Rulesrun);
