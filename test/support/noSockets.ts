import childProcess from "node:child_process"
import dgram from "node:dgram"
import { syncBuiltinESMExports } from "node:module"
import net from "node:net"
import workers from "node:worker_threads"

/** Makes unit tests fail where they would open a socket or start a process or a thread. */
const refuse = (what: string) => (): never => {
  throw new Error(`a unit test must not ${what}: name the file *.net.test.ts or *.e2e.test.ts`)
}

net.Server.prototype.listen = refuse("listen")
net.Socket.prototype.connect = refuse("connect")
dgram.Socket.prototype.bind = refuse("open a UDP socket")
dgram.Socket.prototype.send = refuse("open a UDP socket")
for (const name of ["spawn", "fork", "exec", "execFile", "spawnSync", "execSync", "execFileSync"] as const) {
  Object.assign(childProcess, { [name]: refuse("start a process") })
}
Object.assign(workers, {
  Worker: class {
    constructor() {
      refuse("start a thread")()
    }
  }
})
syncBuiltinESMExports()
