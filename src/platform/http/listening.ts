import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa, { type Middleware } from 'koa'
import type { Log } from '#platform/log'

/** `close` stops accepting and lets running requests finish. */
export type Listening = { url: string; port: number; close: () => Promise<void> }

export type Timeouts = { headersMs: number; graceMs: number }

const serverOptions = ({ headersMs }: Timeouts) => ({
  maxHeaderSize: 16 * 1024,
  headersTimeout: headersMs,
  requestTimeout: 120_000,
  // Longer than a load balancer's idle time, so that it closes first.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: Math.min(5_000, headersMs),
})

/** Port 0 picks a free one; rejects as Node does (EADDRINUSE, EACCES). */
export const listening = async (
  app: Koa,
  port: number,
  host: string,
  timeouts: Timeouts,
): Promise<Listening> => {
  let closing = false
  app.middleware.unshift(hangUpWhen(() => closing))
  const server = createServer(serverOptions(timeouts), app.callback())
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
    return finish(server, timeouts.graceMs)
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
    const grace = setTimeout(() => server.closeAllConnections(), graceMs)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(grace)
      resolve()
    })
  })

const hungUp = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECANCELED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'HPE_INVALID_EOF_STATE',
])

/** Logs incomplete answers: at debug for disconnects, as errors for our own faults. */
export const logDisconnects =
  (log: Log) =>
  (err: NodeJS.ErrnoException): void => {
    const { code } = err
    if (code !== undefined && hungUp.has(code)) log.debug({ code }, 'the caller hung up')
    else log.error({ err }, 'an answer could not be sent')
  }
