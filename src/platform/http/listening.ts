import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Koa from 'koa'
import type { Middleware } from 'koa'

/** A server that takes requests. `close` stops taking them, lets running ones finish, and then ends. */
export type Listening = { url: string; port: number; close: () => Promise<void> }

const serverOptions = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 120_000,
  // Longer than a load balancer's idle time, so that it is the one who hangs up.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
}

/** Listens (port 0: a free one); rejects as Node does (EADDRINUSE, EACCES). `graceMs` bounds the wait for requests. */
export const listening = async (
  app: Koa,
  port: number,
  host: string,
  graceMs: number,
): Promise<Listening> => {
  let closing = false
  app.middleware.unshift(hangUpWhen(() => closing))
  const server = createServer(serverOptions, app.callback())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  const close = () => {
    closing = true
    return finish(server, graceMs)
  }
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`, port: taken, close }
}

const hangUpWhen = (closing: () => boolean): Middleware => {
  return async (context, next) => {
    await next()
    if (closing() && !context.headerSent) context.set('Connection', 'close')
  }
}

const finish = (server: Server, graceMs: number) =>
  new Promise<void>((resolve) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    const patience = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(patience)
      resolve()
    })
  })
