/** Whether the name of an item may change: unlocked without orders, unknown until the server has said. */
export type NameLock = 'open' | 'locked' | 'unknown'

/** The lock of a form: a new item (`hasOrders` null by nature) is open, a saved one as the server says. */
export const nameLockOf = (item: { id: number } | null, hasOrders: boolean | undefined): NameLock => {
  if (item === null) return 'open'
  if (hasOrders === undefined) return 'unknown'
  return hasOrders ? 'locked' : 'open'
}

/** What a change of the name leads to: it is taken, or the dialog opens and the saved name stays. */
export const nameChange = (lock: NameLock, savedName: string, typed: string): 'take' | 'ask' =>
  lock === 'locked' && typed !== savedName ? 'ask' : 'take'
