import { cached, invalidating } from '#platform/cached'

const menu = (over: { load?: () => Promise<string> } = {}) => {
  const heard: ((message: string | null) => void)[] = []
  const told: string[] = []
  let loads = 0
  const load = async () => `menu ${(loads += 1)}`
  const value = cached(
    {
      subscribe: (_channel, hear) => {
        heard.push(hear)
        return () => undefined
      },
      publisher: () => (message) => void told.push(message),
    },
    'menu',
    over.load ?? load,
  )
  return {
    ...value,
    told,
    otherProcess: (message: string | null) => heard.forEach((hear) => hear(message)),
  }
}

test('it is loaded once for all who read', async () => {
  const { read } = menu()
  expect(await Promise.all([read(), read()])).toEqual(['menu 1', 'menu 1'])
  expect(await read()).toBe('menu 1')
})

test('after a change it is loaded again, and the other processes are told', async () => {
  const { read, changed, told } = menu()
  await read()
  changed()
  expect(await read()).toBe('menu 2')
  expect(told).toEqual(['changed'])
})

test.each(['changed', null])(
  'a notification from elsewhere (%j) is a change, and is not passed on',
  async (message) => {
    const { read, otherProcess, told } = menu()
    await read()
    otherProcess(message)
    expect(await read()).toBe('menu 2')
    expect(told).toEqual([])
  },
)

test('what was being loaded while it changed is not kept', async () => {
  const answers: ((menu: string) => void)[] = []
  const { read, changed } = menu({ load: () => new Promise((resolve) => answers.push(resolve)) })
  const before = read()
  changed()
  const after = read()
  answers[1]!('new')
  answers[0]!('old')
  expect([await before, await after, await read()]).toEqual(['old', 'new', 'new'])
})

test('it is kept for half a minute, should a notification be lost', async () => {
  jest.useFakeTimers()
  const { read } = menu()
  await read()
  jest.advanceTimersByTime(29_999)
  expect(await read()).toBe('menu 1')
  jest.advanceTimersByTime(1)
  expect(await read()).toBe('menu 2')
  jest.useRealTimers()
})

test('a failure is not kept', async () => {
  let locks = 0
  const { read } = menu({
    load: async () => ((locks += 1) === 1 ? Promise.reject(new Error('away')) : 'menu'),
  })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe('menu')
})

test('a command tells of a change when it is done, also where it failed on its way', async () => {
  const changes: string[] = []
  const commands = invalidating(
    {
      rename: async (name: string) => `now ${name}`,
      refuse: async () => Promise.reject(new Error('no')),
    },
    () => void changes.push('changed'),
  )
  expect(await commands.rename('soup')).toBe('now soup')
  await expect(commands.refuse()).rejects.toThrow('no')
  expect(changes).toEqual(['changed', 'changed'])
})
