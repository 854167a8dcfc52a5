/** What `server.js` does, done by a machine in this page instead of a server. */
import { refusal } from "../words.js";

const MOST_TRIES = 2; // to go on with a table whose machine was stopped

/** @param {ReturnType<typeof import("./machine.js").startMachine>} machine */
export function transportOf(machine) {
  return {
    /** @param {string} path @param {any} [body] */
    ask: (path, body) =>
      machine.ask("request", { path, body }).catch((error) => {
        throw error.refused ? Object.assign(new Error(refusal(error.refused)), { code: error.code }) : error;
      }),

    /** @param {string} token @param {(message: any) => void} hear @param {(state: "open" | "lost" | "refused") => void} tell */
    connect(token, hear, tell) {
      let number = 0;
      let round = 0; // how often it was tried to connect
      let failed = 0; // how often in a row the machine was stopped before the table was there
      let early = /** @type {any[]} */ ([]); // what was told before the number was known
      const forget = machine.listen((event) => {
        if (event.event === "lost") {
          if (++failed > MOST_TRIES) return refuse();
          tell("lost");
          open();
        } else if (number === 0) early.push(event);
        else if (event.number === number) hear(event.message);
      });

      function refuse() {
        round++;
        forget();
        tell("refused");
      }

      function open() {
        const mine = ++round;
        number = 0;
        early = [];
        machine.ask("connect", { token }).then(
          (found) => {
            if (mine !== round) return;
            number = found;
            failed = 0;
            tell("open");
            early.filter((event) => event.number === number).forEach((event) => hear(event.message));
            early = [];
          },
          () => mine === round && refuse(),
        );
      }

      open();
      return {
        say(/** @type {any} */ message) {
          if (number) machine.ask("say", { number, message }, { seconds: 60 }).catch(() => {});
        },
        close() {
          round++;
          forget();
          if (number) machine.ask("leave", { number }).catch(() => {});
        },
      };
    },
  };
}
