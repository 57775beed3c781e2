export type ToastKind = 'success' | 'error' | 'info' | 'warning'
export type ToastWords = { title: string; text?: string; kind?: ToastKind; duration?: number }
export type Toast = {
  id: number
  title: string
  text?: string
  kind: ToastKind
  /** `shown`, then `leaving` while it fades, then `gone` until it is taken off the list. */
  state: 'shown' | 'leaving' | 'gone'
}

/** How long a notification stays, fades, and stays listed after it was dismissed, in ms (spec section 4). */
const toastTimes = { shown: 3000, shownToAdmins: 5000, leaving: 300, listed: 3000 } as const

let list: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()
const timers = new Map<number, ReturnType<typeof setTimeout>>()

const change = (next: readonly Toast[]) => {
  list = next
  for (const listener of listeners) listener()
}

const after = (id: number, ms: number, act: () => void) => {
  clearTimeout(timers.get(id))
  timers.set(id, setTimeout(act, ms))
}

const setState = (id: number, state: Toast['state']) =>
  change(list.map((one) => (one.id === id ? { ...one, state } : one)))

const remove = (id: number) => {
  timers.delete(id)
  change(list.filter((one) => one.id !== id))
}

/** Shows a notification in place of any other and dismisses it after `duration` ms (3000 by default). */
export const toast = ({ title, text, kind = 'success', duration = toastTimes.shown }: ToastWords): void => {
  lastId += 1
  const id = lastId
  for (const old of list) clearTimeout(timers.get(old.id))
  timers.clear()
  change([{ id, title, text, kind, state: 'shown' }])
  after(id, duration, () => dismissToast(id))
}

/** A notification as administrators get it: 5 seconds. */
export const adminToast = (words: ToastWords): void => toast({ duration: toastTimes.shownToAdmins, ...words })

/** Lets it fade (300 ms), then hides it; it leaves the list 3 s after this call. */
export const dismissToast = (id: number): void => {
  if (list.find((one) => one.id === id)?.state !== 'shown') return
  setState(id, 'leaving')
  after(id, toastTimes.leaving, () => {
    setState(id, 'gone')
    after(id, toastTimes.listed - toastTimes.leaving, () => remove(id))
  })
}

/** Keeps a notification while a pointer or the focus is on it; `resume` starts its time again. */
export const holdToast = (id: number): void => clearTimeout(timers.get(id))
export const releaseToast = (id: number): void => {
  if (list.find((one) => one.id === id)?.state === 'shown')
    after(id, toastTimes.shown, () => dismissToast(id))
}

/** The list as an external store for `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): readonly Toast[] => list,
}
