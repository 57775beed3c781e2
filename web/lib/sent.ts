import { safeParse } from 'zod/mini'
import { urlOf, type Endpoint, type ReplyOf } from '#contracts/endpoint'

const replies = new Map<string, unknown>()

/** Replies that came with the page, by the addresses of their calls; what has been read leaves the page. */
const repliesOfPage = () => {
  const block = document.getElementById('sent')
  if (block) {
    block.remove()
    for (const [url, reply] of Object.entries(JSON.parse(block.textContent))) replies.set(url, reply)
  }
  return replies
}

/**
 * The reply that came with the page in the place of a call: null where the server would refuse it, undefined where it
 * has sent none. Each is had once; who asks again asks the server.
 */
export const takePreloaded = <E extends Endpoint>(
  endpoint: E,
  input: { params?: object; query?: object } = {},
): ReplyOf<E> | null | undefined => {
  const url = urlOf(endpoint, input)
  const reply = repliesOfPage().get(url)
  replies.delete(url)
  if (reply === null || reply === undefined) return reply
  return safeParse(endpoint.reply, reply).data as ReplyOf<E> | undefined
}

/** Removes what came for whoever was here before. */
export const forgetSent = (): void => repliesOfPage().clear()

/**
 * When the page was answered, by the device's clock. Counted back from now: `performance.timeOrigin` is behind by as long
 * as a device has slept.
 */
export const sentAt = (): number => {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  const answeredMs = (navigation as PerformanceNavigationTiming | undefined)?.responseStart
  return answeredMs === undefined ? Date.now() : Date.now() - (performance.now() - answeredMs)
}
