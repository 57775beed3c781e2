import type { EventStore } from '#platform/event-store/event-store'
import { contextsOf, type Module } from '#platform/module'
import { schoolOf } from '#platform/school'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { alone } from '../service/alone'
import { refuseClaimed } from '../service/school-id'
import { copyEvents, type Copied } from './copy-events'
import type { Infrastructure } from '../service/infrastructure'

type Options = {
  modules: readonly Module[]
  /** The school is to stay there; nobody may serve it meanwhile. */
  switchOver: boolean
  onProgress: (what: 'Copying' | 'Comparing' | 'Read models', done: number, total: number) => void
}

/**
 * Copies a school's events from its database to `target` and tells how that went, in lines and an exit code. With
 * `switchOver` and an exact copy the school is there from now on, and its read models are rebuilt from there.
 */
export const copySchool = (
  where: Pick<Infrastructure, 'database' | 'familyKeys' | 'locks' | 'maintenance'>,
  target: EventStore,
  options: Options,
): Promise<{ lines: string[]; exitCode: 0 | 1 }> =>
  where.maintenance.run('copy', () => copyAlone(where, target, options))

const copyAlone = async (
  { database, familyKeys, locks }: Pick<Infrastructure, 'database' | 'familyKeys' | 'locks'>,
  target: EventStore,
  { modules, switchOver, onProgress }: Options,
): Promise<{ lines: string[]; exitCode: 0 | 1 }> => {
  const schoolId = (await schoolOf(database.pool))!
  await refuseClaimed(target, schoolId, 'The school here')
  const copy = () => copyEvents(database.pool, target, { switchOver, schoolId, onProgress })
  const copied = switchOver ? await alone({ locks }, modules, copy) : await copy()
  if (copied.switched) {
    const contexts = contextsOf(modules)
    const { events } = copied
    const progress = (done: number) => onProgress('Read models', done, events)
    await rebuildViews({ database, eventStore: target, familyKeys, locks, contexts, onProgress: progress })
  }
  return { lines: linesOf(copied), exitCode: copied.differences.length > 0 ? 1 : 0 }
}

const mostDifferences = 100

const linesOf = ({ events, streams, differences, switched }: Copied): string[] => {
  if (differences.length > 0)
    return [
      `The copy is not the same as the original: ${differences.length} found.`,
      ...differences.slice(0, mostDifferences).map((words) => `- ${words}`),
      ...(differences.length > mostDifferences ? [`and ${differences.length - mostDifferences} more.`] : []),
    ]
  const same = `${events} events in ${streams} streams are there, each the same as here.`
  return switched
    ? [same, 'The school is there from now on: set EVENTSTORE_URL to that address, and start it.']
    : [same, 'This school still is here: with --switch, and the service stopped, it moves there.']
}
