/** Who caused an event where that is no user: in words; null for a user. */
export const whoByItself = (actor: string): string | null => {
  if (userIdIn(actor) !== null) return null
  if (actor === 'system') return 'Tuckshop'
  const [kind, ...name] = actor.split(':')
  const what = name.join(' ').replaceAll('-', ' ')
  return kind === 'job' ? `Tuckshop (${what})` : [kind, what].filter(Boolean).join(' ')
}

/** The user in an actor `user:<id>`; null when it is none. */
export const userIdIn = (actor: string): number | null => {
  const id = /^user:(\d{1,9})$/.exec(actor)?.[1]
  return id === undefined ? null : Number(id)
}
