import { messageOf } from './call'
import { adminToast, type ToastWords } from './toast'

type OutcomeWords<Result> = {
  /** The notification of success; nothing is shown without it. */
  done?: string | ((result: Result) => ToastWords)
  /** What to say when the server gave no words of its own. */
  failed: string
  failedTitle?: string
}

/** Notifies an administrator how an act ended; answers its result, or null when it failed. */
export const notifyOutcome = async <Result>(
  act: Promise<Result>,
  words: OutcomeWords<Result>,
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

/** The notification of a failed act: the server's words, or `fallback` when it said none. */
export const notifyFailure = (error: unknown, fallback: string, title = 'Error'): void =>
  adminToast({ title, text: messageOf(error, fallback), kind: 'error' })
