import { noStream, WrongExpectedRevision } from '#platform/event-store/event-store'
import type { Bench } from './store-under-test'

export const conflictContract = ({ store, freshStream, numbers, readNumbers }: Bench): void => {
  test('the same append again is recognised by its event ids and answers as the first time', async () => {
    const [a, b] = [freshStream(), freshStream()]
    const append = [numbers(a, noStream, 1, 2), numbers(b, noStream, 3)]
    const position = await store().append(append)
    expect(await store().append(append)).toBe(position)
    expect(await readNumbers(a)).toEqual([1, 2])
    expect(await readNumbers(b)).toEqual([3])
  })

  test('it is recognised after others have appended', async () => {
    const stream = freshStream()
    const append = numbers(stream, noStream, 1)
    const position = await store().append([append])
    await store().append([numbers(stream, 0, 2)])
    expect(await store().append([append])).toBe(position)
    expect(await readNumbers(stream)).toEqual([1, 2])
  })

  test('of an append that is there in part the rest is appended', async () => {
    const [a, b] = [freshStream(), freshStream()]
    await store().append([numbers(a, noStream, 1)])
    await store().append([numbers(a, noStream, 1), numbers(b, noStream, 2), numbers(a, 0, 3)])
    expect(await readNumbers(a)).toEqual([1, 3])
    expect(await readNumbers(b)).toEqual([2])
  })

  test('other events at the same place are a conflict, not a repeat', async () => {
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 1)])
    await expect(store().append([numbers(stream, noStream, 2)])).rejects.toThrow(WrongExpectedRevision)
  })

  test('of 20 writers on one stream one wins and 19 are told of the conflict', async () => {
    const stream = freshStream()
    await store().append([numbers(stream, noStream, 0)])
    const race = Array.from({ length: 20 }, (_, writer) => store().append([numbers(stream, 0, writer + 1)]))
    const outcomes = await Promise.allSettled(race)
    const losers = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    expect(losers).toHaveLength(19)
    for (const { reason } of losers) expect(reason).toBeInstanceOf(WrongExpectedRevision)
    expect(await readNumbers(stream)).toHaveLength(2)
  })

  test('the same append sent 10 times at once is stored once and accepted 10 times', async () => {
    const stream = freshStream()
    const append = numbers(stream, noStream, 1, 2)
    const positions = await Promise.all(Array.from({ length: 10 }, () => store().append([append])))
    expect(new Set(positions).size).toBe(1)
    expect(await readNumbers(stream)).toEqual([1, 2])
  })
}
