import { sealingEvents, type FamilyKeys } from '#platform/event-store/sealed-events'
import { noStream } from '#platform/event-store/event-store'
import { lunchOrdered, lunchReserved, orderChanged } from '#modules/ordering/published'
import { memoryEventStore } from '../../src/adapters/event-store/memory/event-store'
import { transferConfirmed } from '#modules/transfers/published'
import { changedToStew, reserved } from '../ordering/slot-words'
import { monday7, ordered } from '../ordering/lunches'
import { sample } from '../audit/sample-events'
import { newEvents } from '../support/recorded-events'

const keysOf = (userIds: readonly number[]) =>
  Promise.resolve(new Map(userIds.map((userId) => [userId, Buffer.alloc(32, userId)])))
const familyKeys: FamilyKeys = { of: keysOf, madeFor: keysOf, forget: () => undefined }
const personal = () => ({
  [lunchOrdered.type]: ['student.name', 'comments'],
  [orderChanged.type]: ['meal.comments', 'old.comments'],
  [transferConfirmed.type]: ['payer'],
})

test('a personal value is sealed for the family that the stream names, also where its first event names none', async () => {
  const stored = memoryEventStore()
  const sealing = sealingEvents(stored, familyKeys, personal)
  const stream = 'mealSlot-118.2026-09-15'
  const placed = [reserved(10), ordered(1, monday7)]
  await sealing.append([{ stream, expectedRevision: noStream, events: newEvents('placed', ...placed) }])
  await sealing.append([{ stream, expectedRevision: 1, events: newEvents('changed', changedToStew) }])
  const kept = JSON.stringify([...(await stored.read([stream])).values()])
  expect(kept).toContain(lunchReserved.type)
  expect(kept).not.toMatch(/no salt|Chanda/)
  const opened = (await sealing.read([stream])).get(stream)!
  expect(opened.map(({ data }) => data)).toEqual([...placed, changedToStew].map(({ data }) => data))
})

test('a stream that the caller has read is not read again to find its family', async () => {
  const stored = memoryEventStore()
  const read = jest.fn(stored.read)
  const sealing = sealingEvents({ ...stored, read }, familyKeys, personal)
  const stream = 'mealSlot-118.2026-09-15'
  const earlier = [reserved(10), ordered(1, monday7)]
  await sealing.append([{ stream, expectedRevision: noStream, events: newEvents('placed', ...earlier) }])
  const events = newEvents('changed', changedToStew)
  await sealing.append([{ stream, expectedRevision: 1, events, earlier }])
  expect(read).not.toHaveBeenCalled()
  expect(JSON.stringify([...(await stored.read([stream])).values()])).not.toMatch(/no salt/)
})

test('who paid for several families is sealed for all of them together, and is gone with any one', async () => {
  const stored = memoryEventStore()
  const sealing = sealingEvents(stored, familyKeys, personal)
  const paid = transferConfirmed(sample(transferConfirmed.type).data as never)
  const [family] = paid.data.families
  const both = { ...paid, data: { ...paid.data, families: [{ ...family, userId: 8 }, family] } }
  await sealing.append([
    { stream: 'transfer-1', expectedRevision: noStream, events: newEvents('paid', both) },
  ])
  const kept = JSON.stringify([...(await stored.read(['transfer-1'])).values()])
  expect(kept).toContain('~sealed.1.5+8.')
  expect(kept).not.toContain('Mary Banda')
  const readWithout = async (...gone: number[]) => {
    const left = async (userIds: readonly number[]) =>
      new Map([...(await keysOf(userIds))].map(([id, key]) => [id, gone.includes(id) ? null : key]))
    const reading = sealingEvents(stored, { ...familyKeys, of: left }, personal)
    return (await reading.read(['transfer-1'])).get('transfer-1')![0]!.data
  }
  expect(await readWithout()).toEqual(both.data)
  expect(await readWithout(5)).toEqual({ ...both.data, payer: '[deleted]' })
  expect(await readWithout(8)).toEqual({ ...both.data, payer: '[deleted]' })
})
