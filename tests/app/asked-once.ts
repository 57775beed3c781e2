import type { Endpoint } from '#contracts/endpoint'
import type { Client } from '../../src/app/demo/client'
import { refused, type Canteen } from '../ordering/canteen'

export type Asked = { params?: Record<string, string | number>; body?: unknown }
export type Act = { who: Client; endpoint: Endpoint; asked: Asked; other: Asked }
/** What is there to be acted on, made anew for each row. */
export type Acts<School> = [string, (school: School) => Promise<Act>][]

export const of = <E extends Endpoint>(who: Client, endpoint: E, asked: Asked, other: Asked): Act => ({
  who,
  endpoint: endpoint as unknown as Endpoint,
  asked,
  other,
})

const send = ({ who, endpoint }: Act, key: string, asked: Asked): Promise<unknown> =>
  who.call(endpoint, { ...asked, headers: { 'idempotency-key': key } } as never)

/** Everything that people have done; what jobs make of it, and the notes on settings, come when they come. */
const doneBy = async ({ infrastructure }: Pick<Canteen, 'infrastructure'>) => {
  const { rows } = await infrastructure.database.pool.query<{ done: string }>(
    `select concat_ws(' ', type, stream, metadata->>'actor') as done from platform.events
     where metadata->>'actor' like 'user:%' and type not like 'audit.%' order by xid, seq`,
  )
  return rows.map(({ done }) => done)
}

let keys = 0
/** The same key and request answer the same and do nothing more; the key with another request is refused. */
export const expectOnce = async (canteen: Pick<Canteen, 'infrastructure'>, act: Act) => {
  const key = `key-${(keys += 1)}`
  const answer = await send(act, key, act.asked)
  const done = await doneBy(canteen)
  expect(await send(act, key, act.asked)).toEqual(answer)
  expect(await refused(send(act, key, act.other))).toMatchObject({
    status: 409,
    code: 'idempotency_key_reused',
  })
  expect(await doneBy(canteen)).toEqual(done)
}

let families = 0
export const newName = () => `family${(families += 1)}`

export const named = (id: string): Asked => ({ params: { id } })
