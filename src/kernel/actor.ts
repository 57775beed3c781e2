export const userIdOf = (actor: string): number | null =>
  Number(/^user:(\d{1,9})$/.exec(actor)?.[1] ?? 0) || null
