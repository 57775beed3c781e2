import { StartError } from '#platform/start-error'

export type Credentials = { username: string; password: string }

/** Where an EventStoreDB is and who we are there. `connection` holds no password; the client may print it. */
export type EsdbAddress = {
  connection: string
  credentials: Credentials
  shown: string
  /** What the names of all our streams begin with there; nothing unless the address has a `streamPrefix`. */
  prefix: string
}

const pattern =
  /^(?:esdb|kurrent|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@?/]+)\/?(?:\?(.*))?$/i

// The client drops credentials on a connection without TLS. It takes them for a reason of its own; see the decision.
const nobody: Credentials = { username: 'nobody', password: 'nobody' }

/**
 * Reads EVENTSTORE_URL: `esdb://` and its newer name `kurrentdb://`, which the client does not know, with
 * `+discover`, one host or several, the client's own options, and `streamPrefix`, with which several schools share a
 * store. Throws StartError, never with the password in it.
 */
export const esdbAddress = (url: string): EsdbAddress => {
  const [matched, discover = '', user, password, hosts, options = ''] = pattern.exec(url.trim()) ?? []
  if (matched === undefined)
    throw new StartError('EVENTSTORE_URL takes an address such as esdb://user:password@host:2113?tls=true.')
  const shown = `esdb${discover.toLowerCase()}://${hosts}`
  if (user === undefined && !/(?:^|&)tls=false(?:&|$)/i.test(options))
    throw new StartError(
      `The event store at ${shown} is reached with TLS, so EVENTSTORE_URL takes a user and a password (or tls=false).`,
    )
  const { prefix, others } = prefixIn(options)
  const named = /(?:^|&)connection[_-]?name=/i.test(others)
    ? others
    : addTo(others, 'connectionName=tuckshop')
  return { connection: `${shown}?${named}`, credentials: credentialsOf(user, password), shown, prefix }
}

/** Takes our own option, which the client does not know, from among the others. */
const prefixIn = (options: string): { prefix: string; others: string } => {
  const all = options.split('&').filter((option) => option !== '')
  const ours = all.find((option) => /^streamPrefix=/i.test(option))
  if (ours === undefined) return { prefix: '', others: options }
  const name = ours.slice(ours.indexOf('=') + 1)
  if (!/^[a-z0-9_]{1,40}$/i.test(name))
    throw new StartError('EVENTSTORE_URL takes a streamPrefix of at most 40 letters, digits or _.')
  return { prefix: `${name}:`, others: all.filter((option) => option !== ours).join('&') }
}

const addTo = (options: string, option: string) => (options === '' ? option : `${options}&${option}`)

const credentialsOf = (user: string | undefined, password: string | undefined): Credentials => {
  if (user === undefined || password === undefined) return nobody
  try {
    return { username: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    throw new StartError('EVENTSTORE_URL takes a user and a password with their % written as %25.')
  }
}
