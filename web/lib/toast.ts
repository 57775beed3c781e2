import { messageOf, noAnswerCame, NoAnswer } from './call'

export type ToastKind = 'success' | 'error' | 'info' | 'warning'
export type ToastText = { title: string; text?: string; kind?: ToastKind; duration?: number }
export type Toast = {
  id: number
  title: string
  text?: string
  kind: ToastKind
  /** `gone` stays listed for a while. */
  state: 'shown' | 'leaving' | 'gone'
}

/** In ms (spec section 4). */
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

/** Replaces any other; 3000 ms by default. */
export const toast = ({ title, text, kind = 'success', duration = toastTimes.shown }: ToastText): void => {
  lastId += 1
  const id = lastId
  for (const old of list) clearTimeout(timers.get(old.id))
  timers.clear()
  change([{ id, title, text, kind, state: 'shown' }])
  after(id, duration, () => dismissToast(id))
}

/** 5 seconds. */
export const adminToast = (words: ToastText): void => toast({ duration: toastTimes.shownToAdmins, ...words })

/** Fades (300 ms) and leaves the list after 3 s. */
export const dismissToast = (id: number): void => {
  if (list.find((one) => one.id === id)?.state !== 'shown') return
  setState(id, 'leaving')
  after(id, toastTimes.leaving, () => {
    setState(id, 'gone')
    after(id, toastTimes.listed - toastTimes.leaving, () => remove(id))
  })
}

export const holdToast = (id: number): void => clearTimeout(timers.get(id))
export const releaseToast = (id: number): void => {
  if (list.find((one) => one.id === id)?.state === 'shown')
    after(id, toastTimes.shown, () => dismissToast(id))
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): readonly Toast[] => list,
}

type OutcomeText<Result> = {
  /** Absent: no success notification. */
  done?: string | ((result: Result) => ToastText)
  failed: string
  failedTitle?: string
}

/** Answers the result, or null on failure. */
export const notifyOutcome = async <Result>(
  act: Promise<Result>,
  words: OutcomeText<Result>,
): Promise<Result | null> => {
  try {
    const result = await act
    if (words.done) adminToast(typeof words.done === 'string' ? { title: words.done } : words.done(result))
    return result
  } catch (error) {
    notifyFailure(error, words.failed, words.failedTitle)
    return null
  }
}

/** The server's words or `fallback`. Without an answer it is not called a failure. */
export const notifyFailure = (error: unknown, fallback: string, title = 'Error'): void => {
  const text = error instanceof NoAnswer ? noAnswerCame : messageOf(error, fallback)
  adminToast({ title, text, kind: 'error' })
}

/** The act waits for a second administrator. */
export const isWaiting = (reply: object): reply is { state: 'approval'; proof?: string | undefined } =>
  'state' in reply && reply.state === 'approval'

/** What an administrator is notified of when what they asked for waits. */
export const waitsText = ({ proof }: { proof?: string | undefined } = {}): ToastText => ({
  title: 'Awaiting approval',
  text:
    proof === 'not on any statement'
      ? 'This money is not on any statement. Another administrator must approve it.'
      : 'This passes the limit for one administrator today. Another must approve it.',
  kind: 'info',
})

/** The same of a gift. */
export const giftWaitsText: ToastText = {
  ...waitsText(),
  text: 'This passes the limit for gifts by one administrator today. Another must approve it.',
}
