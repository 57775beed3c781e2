/** The id of the account that acted; null when it was no account. */
export const userIdOf = (actor: string): number | null =>
  Number(/^user:(\d{1,9})$/.exec(actor)?.[1] ?? 0) || null
