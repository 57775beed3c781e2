import type { Log } from '#platform/log'

type Line = { level: string; details: Record<string, unknown>; message: string }

/** A log that keeps what it is told, for tests of what is and is not said. */
export const heardLog = (): Log & { lines: Line[] } => {
  const lines: Line[] = []
  const logWith = (bindings: object): Log => {
    const say = (level: string) => (details: object, message: string) => {
      lines.push({ level, details: { ...bindings, ...details }, message })
    }
    return {
      debug: say('debug'),
      info: say('info'),
      warn: say('warn'),
      error: say('error'),
      child: (more) => logWith({ ...bindings, ...more }),
    }
  }
  return { ...logWith({}), lines }
}
