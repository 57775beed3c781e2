import { WrongExpectedRevision } from './event-store'

/** Repeats load, gather, decide, append while others append first; after `times` tries the conflict is thrown. */
export const retryOnConflict = async <Result>(attempt: () => Promise<Result>, times = 5): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision) || tries >= times) throw error
    }
  }
}
