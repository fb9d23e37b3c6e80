import { type Socket } from "node:net"

/** A socket's bytes, taken by number. */
export interface Bytes {
  /** Rejects when the socket ends before. */
  readonly take: (count: number) => Promise<Buffer>
  readonly byte: () => Promise<number>
  /** Hands the socket back, paused, with what was not taken. */
  readonly release: () => void
}

export const bytesOf = (socket: Socket): Bytes => {
  const state: { held: Buffer; wake: () => void; ended: boolean } = {
    held: Buffer.alloc(0),
    wake: () => undefined,
    ended: false
  }
  const onData = (chunk: Buffer) => {
    state.held = Buffer.concat([state.held, chunk])
    state.wake()
  }
  const onEnd = () => {
    state.ended = true
    state.wake()
  }
  socket.on("data", onData)
  socket.on("end", onEnd)
  socket.on("close", onEnd)

  const take = async (count: number): Promise<Buffer> => {
    while (state.held.length < count) {
      if (state.ended) throw new Error("The socket ended.")
      await new Promise<void>((resolve) => (state.wake = resolve))
    }
    const taken = state.held.subarray(0, count)
    state.held = state.held.subarray(count)
    return taken
  }
  return {
    take,
    byte: async () => (await take(1)).readUInt8(),
    release: () => {
      socket.off("data", onData)
      socket.off("end", onEnd)
      socket.off("close", onEnd)
      socket.pause()
      if (state.held.length > 0) socket.unshift(state.held)
    }
  }
}
