import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Away = { url: string; cut: () => void; restore: () => void; close: () => Promise<void> }

/** A line to a server of this machine that can be cut: then whoever calls is hung up on at once. */
export const serveAway = async (target: string): Promise<Away> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isCut = false
  const kept = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    return socket
  }
  const server = createServer((caller) => {
    kept(caller)
    if (isCut) return void caller.destroy()
    const called = kept(connect(Number(port), hostname))
    caller.pipe(called).pipe(caller)
    caller.once('close', () => called.destroy())
    called.once('close', () => caller.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hangUp = () => sockets.forEach((socket) => socket.destroy())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      hangUp()
    },
    restore: () => void (isCut = false),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
  }
}
