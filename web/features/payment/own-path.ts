import { addressOf } from '../../lib/address'

/**
 * The address asked for when it is a path of our own, else null: a link made by others must not send a parent
 * elsewhere.
 */
export const ownPath = (asked: string | null, origin: string): string | null => {
  const address = asked?.startsWith('/') ? addressOf(asked, origin) : null
  if (!address) return null
  const { origin: whose, pathname, search, hash } = address
  // A path that begins with two slashes would be read as the name of another host.
  return whose === origin && !pathname.startsWith('//') ? `${pathname}${search}${hash}` : null
}
