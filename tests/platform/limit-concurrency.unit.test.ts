import { limitConcurrency } from '#platform/pacing'

const gate = () => {
  const open: (() => void)[] = []
  return { open, wait: () => new Promise<void>((resolve) => open.push(resolve)) }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('two are under way, the others come in the order in which they asked', async () => {
  const twoAtMost = limitConcurrency(2)
  const { open, wait } = gate()
  const begun: number[] = []
  const all = [1, 2, 3, 4].map((number) =>
    twoAtMost(async () => {
      begun.push(number)
      await wait()
      return number
    }),
  )
  await settled()
  expect(begun).toEqual([1, 2])
  open[1]!()
  await settled()
  expect(begun).toEqual([1, 2, 3])
  open[0]!()
  await settled()
  open.forEach((one) => one())
  await settled()
  open.forEach((one) => one())
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('one that fails leaves its place to the next', async () => {
  const oneAtMost = limitConcurrency(1)
  const failed = oneAtMost(() => Promise.reject(new Error('no')))
  const next = oneAtMost(() => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(await oneAtMost(() => Promise.resolve('again'))).toBe('again')
})
