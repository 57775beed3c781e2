import { setTimeout as pause } from 'node:timers/promises'
import { CallRefused } from '../../src/app/demo/client'
import { countRefusal, type Acknowledged } from './acknowledged'

/** Lets everybody work until the whistle; `over` once it has been blown. */
export type Shift = { over: () => boolean }

const betweenTriesMs = 250
const patienceMs = 10 * 60_000

/**
 * Asks until there is an answer, however often the service dies meanwhile: the same request with the same key, as the
 * portal does. Answers null when it is refused. A fault is asked again too, for a dying service may still get that out.
 */
export const untilAnswered = async <Reply>(
  acknowledged: Acknowledged,
  ask: () => Promise<Reply>,
  onRefused: (code: string) => void = () => undefined,
): Promise<Reply | null> => {
  const giveUpAt = Date.now() + patienceMs
  for (let round = 1; ; round += 1) {
    try {
      const reply = await ask()
      acknowledged.answers += 1
      return reply
    } catch (error) {
      if (error instanceof CallRefused && error.status < 500) {
        acknowledged.answers += 1
        countRefusal(acknowledged, error.body.code)
        onRefused(error.body.code)
        return null
      }
      if (Date.now() > giveUpAt) throw error
      if (round === 1) acknowledged.askedAgain += 1
      await pause(betweenTriesMs)
    }
  }
}
