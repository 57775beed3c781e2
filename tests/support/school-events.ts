import { randomUUID } from 'node:crypto'

/** `in-process`, or the address of a server that is shared with others; not set, the school's own database. */
const store = process.env.TUCKSHOP_TEST_EVENTS ?? ''

/** For a test that is about the events table itself. */
export const inTheDatabase = { EVENTSTORE_URL: '' }

/**
 * Where a school's events go when the tests do not say: so the whole service can be tried on either store by one
 * variable (npm run test:eventstore).
 */
export const schoolEvents = async (): Promise<{ url: string; close: () => void }> => {
  if (store === '') return { url: '', close: () => undefined }
  if (store !== 'in-process') return { url: ofItsOwn(store), close: () => undefined }
  const { startNode } = await import('./esdb-server/start-node')
  const node = await startNode()
  return { url: node.url(), close: node.stop }
}

/** The address of a server that is shared with others, with a prefix that nobody else has. */
export const ofItsOwn = (url: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}streamPrefix=test${randomUUID().replaceAll('-', '')}`
