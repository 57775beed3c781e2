import { safeParse } from 'zod/mini'
import { urlOf, type Endpoint, type ReplyOf } from '#contracts/endpoint'

const replies = new Map<string, unknown>()

/** By address; used replies are removed. */
const repliesOfPage = () => {
  const block = document.getElementById('sent')
  if (block) {
    block.remove()
    for (const [url, reply] of Object.entries(JSON.parse(block.textContent))) replies.set(url, reply)
  }
  return replies
}

/** Null where the server would refuse, undefined if not preloaded. Each is taken once. */
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

/** Removes a previous user's data. */
export const forgetPreloaded = (): void => repliesOfPage().clear()

/** Device time of the page's answer, counted back from now: `performance.timeOrigin` lags by a device's sleep. */
export const preloadedAt = (): number => {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  const answeredMs = (navigation as PerformanceNavigationTiming | undefined)?.responseStart
  return answeredMs === undefined ? Date.now() : Date.now() - (performance.now() - answeredMs)
}
