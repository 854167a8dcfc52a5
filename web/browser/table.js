/** A table in a frame of another page, which has the machine: `rulesrun.machine` there. */
import { use } from "../server.js";
import { transportOf } from "./transport.js";

use(transportOf(/** @type {any} */ (parent).rulesrun.machine));
import("../main.js");
