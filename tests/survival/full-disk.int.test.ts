import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { createPayment, verifyPayment } from '#contracts/payments'
import { openCanteen, place, refused, type Canteen } from '../ordering/canteen'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'
import { inTheDatabase } from '../support/school-events'

let canteen: Canteen
beforeAll(async () => {
  canteen = await openCanteen(inTheDatabase, sweeping)
})
afterAll(() => canteen.close())

const sql = (text: string) => canteen.infrastructure.database.pool.query(text)
const eventCount = async () => (await sql('select count(*)::int as count from platform.events')).rows[0].count

/** Postgres itself says what it says when the disk is full, the moment an event of a slot is written. */
const fillDisk = (streams: string) =>
  sql(`
    create or replace function platform.full_disk() returns trigger language plpgsql as $$
    begin
      if new.stream like '${streams}' then
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end if;
      return new;
    end $$;
    create trigger full_disk before insert on platform.events
      for each row execute function platform.full_disk()`)
const clearDisk = () => sql('drop trigger full_disk on platform.events')

test('a full disk refuses the whole order with a time to come back, and the same key orders once afterwards', async () => {
  const { parent, children } = await canteen.family('mwila', '3')
  const lines = [1, 2, 3].map((day) => canteen.porridgeFor(children[0]!, day + 1))
  const before = await eventCount()
  await fillDisk('mealSlot-%.2026-09-17')
  try {
    const answer = await refused(place(parent, lines, 'key'))
    expect(answer).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await eventCount()).toBe(before)
    expect(await parent.call(listOrders)).toEqual([])
  } finally {
    await clearDisk()
  }
  const placed = await place(parent, lines, 'key')
  expect(placed).toHaveLength(3)
  expect(await place(parent, lines, 'key')).toEqual(placed)
  expect(await parent.call(listOrders)).toHaveLength(3)
})

test('a payment whose meals find no room is paid all the same, and has its meals when there is room again', async () => {
  const parent = await canteen.parent('grace', { email: 'grace@example.org' })
  const child = await parent.call(addStudent, { body: { name: 'Child', grade: '9' } })
  const { TransToken } = await parent.call(createPayment, {
    body: { amount: 45.5, cartItems: [canteen.stewFor(child, 2)] },
  })
  await canteen.visitor().fetch(`/sandbox/pay/${TransToken}`, {
    method: 'POST',
    body: new URLSearchParams({ outcome: 'slow', card: '4111111111111111' }),
  })
  canteen.setClock('2026-09-14T07:03:00+02:00')
  await fillDisk('mealSlot-%')
  const verify = () => parent.call(verifyPayment, { params: { transactionId: TransToken } })
  try {
    await verify()
    expect(await parent.call(listOrders)).toEqual([])
  } finally {
    await clearDisk()
  }
  const sweeps = canteen.modules.find(({ name }) => name === 'payments')!.sweeps
  canteen.setClock('2026-09-14T07:05:00+02:00')
  // The job that failed may be at it again: then the sweep leaves it to the job.
  await eventually(async () => {
    for (const { run } of sweeps) await run()
    expect((await parent.call(listOrders)) as Order[]).toMatchObject([
      { dayOfWeek: 2, paymentStatus: 'confirmed' },
    ])
  })
})
