import { chainName } from '#modules/audit/chain/chain.commands'
import { beginning, readLog, type RecordedEvent } from '#platform/event-store/event-store'
import { contextsOf } from '#platform/module'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { eventually } from '../support/eventually'
import type { School } from '../support/school'

/** Views, chain and reactors have taken in every event that they hear, and no job is left to write another row. */
export const settled = async ({
  infrastructure: { database, eventStore, queue },
  modules,
}: Pick<School, 'infrastructure' | 'modules'>): Promise<void> => {
  const projected = [chainName, ...contextsOf(modules).map(({ name }) => viewsCheckpoint(name))]
  const reactors = modules.flatMap((one) => one.reactors)
  await eventually(async () => {
    const log: RecordedEvent[] = []
    await readLog(eventStore, await eventStore.end(), 500, async (events) => void log.push(...events))
    const { rows } = await database.pool.query<{ name: string; position: string }>(
      'select name, position from platform.checkpoints',
    )
    const { waiting, active } = await queue.depth()
    const reached = new Map(rows.map(({ name, position }) => [name, position]))
    const heardBy = (types: readonly string[]) => log.findLast(({ type }) => types.includes(type))
    const { position: end } = await eventStore.end()
    return (
      waiting + active === 0 &&
      projected.every((name) => reached.get(name) === end) &&
      reactors.every(
        ({ name, types }) =>
          (heardBy(types)?.position ?? beginning) <= (reached.get(`follower ${name}`) ?? ''),
      )
    )
  })
}
