import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'
import { httpRefusal } from './http-refusals'
import type { BodyLimits } from './request-state'
import { stateOf } from './request-state'

const tooLarge = () => httpRefusal('request_too_large', 'The request is too large')
const tooSlow = () => httpRefusal('request_too_slow', 'The request took too long to arrive')
const cutOff = () => httpRefusal('malformed_request', 'The request was cut off')

/**
 * The whole body as it came, within the matched route's limits of size (`maxBodyBytes`, else 256 KiB) and time.
 * Throws `request_too_large`, `request_too_slow` or, when the caller goes away, `malformed_request`.
 */
export const readBody = async (context: Context): Promise<Buffer> => {
  const { bodyLimits } = stateOf(context)
  refuseDeclaredSize(context, bodyLimits)
  const body = await collect(context.req, bodyLimits)
  if (body === 'slow') {
    context.set('Connection', 'close')
    throw tooSlow()
  }
  return body
}

/** Refuses a body that says beforehand that it is too large; also for routes that read the stream themselves. */
export const refuseDeclaredSize = (context: Context, limits: BodyLimits): void => {
  if (Number(context.req.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge()
}

const collect = (request: IncomingMessage, limits: BodyLimits) =>
  new Promise<Buffer | 'slow'>((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => settle(() => resolve('slow')), limits.timeoutMs)
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size > limits.maxBytes) settle(() => reject(tooLarge()))
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const onGone = () => settle(() => reject(cutOff()))
    const settle = (act: () => void) => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('close', onGone)
      // The rest is thrown away, so that the answer can be read on the same connection.
      request.resume()
      act()
    }
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
  })
