import { setTimeout as pause } from 'node:timers/promises'
import { listStudents } from '#contracts/identity'
import { StartError } from '#platform/failures'
import { signIn } from '../../src/app/demo/client'
import { openInfrastructure } from '../../src/app/service/infrastructure'
import { startService } from '../../src/app/service/tuckshop'
import { openAlternativeCanteen, order, type AlternativeCanteen } from '../payments/alternative-canteen'
import { heardLog } from '../support/captured-log'
import { startNode, type EsdbNode } from '../support/esdb-server/start-node'
import { eventually } from '../support/eventually'
import { sweeping } from '../support/school'

let node: EsdbNode
let school: AlternativeCanteen
let natasha: Awaited<ReturnType<AlternativeCanteen['family']>>
const log = heardLog()

beforeAll(async () => {
  node = await startNode()
  school = await openAlternativeCanteen({ EVENTSTORE_URL: node.url() }, { log, ...sweeping })
  natasha = await school.family('natasha', '2')
  await order(natasha.parent, [school.porridgeFor(natasha.children[0]!, 2)])
})
afterAll(async () => {
  await school.close()
  node.stop()
})

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
const get = (path: string, url = school.url) => fetch(`${url}${path}`)
const readiness = async (url = school.url) => {
  const answer = await get('/readyz', url)
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('while it is away reading goes on, ordering answers 503 within 5 s, and /readyz names it within 3 s', async () => {
  const child = natasha.children[0]!
  node.stop()
  const refused = async () =>
    expect(
      await order(natasha.parent, [school.porridgeFor(child, 4)]).catch((error: unknown) => error),
    ).toMatchObject({
      status: 503,
      body: { code: 'event_store_unavailable' },
    })
  expect(await seconds(refused)).toBeLessThan(5)

  let told = await readiness()
  expect(await seconds(async () => (told = await readiness()))).toBeLessThan(3)
  expect(told).toMatchObject({ status: 503, body: { details: { eventStore: false, database: true } } })

  const again = await school.signIn('natasha', 'parent-password')
  expect(await again.call(listStudents)).toHaveLength(1)
  expect((await get('/api/menu-items')).status).not.toBe(503)

  await node.start()
  const ordersAgain = async () => {
    await eventually(async () => {
      const answer = await order(natasha.parent, [school.porridgeFor(child, 4)]).catch(
        (error: unknown) => error,
      )
      return !(answer instanceof Error)
    })
  }
  expect(await seconds(ordersAgain)).toBeLessThan(5)
  await eventually(async () => (await readiness()).status === 200)

  // Once that it is away and once that it is back, however many found it so; a slow machine may find it away more often.
  const said = log.lines.map(({ level, message }) => `${level}: ${message.split(':')[0]}`)
  const [away, back] = ['warn: the event store does not answer', 'info: the event store answers again']
  const turns = said.filter((line) => line === away || line === back)
  expect(turns.length).toBeGreaterThanOrEqual(2)
  expect(turns).toEqual(turns.map((_, index) => (index % 2 === 0 ? away : back)))
  expect(said.filter((line) => line.includes('following the events failed'))).toEqual([])
})

test('it starts without the event store, is not ready, and takes orders once that is there', async () => {
  node.stop()
  const environment = { log, now: school.now, webRoot: null, demo: false }
  const infrastructure = await openInfrastructure(school.config, environment)
  const service = await startService(infrastructure, { ...school.config, PORT: 0 }, environment)
  expect(await readiness(service.url)).toMatchObject({
    status: 503,
    body: { details: { eventStore: false } },
  })
  expect(await seconds(() => readiness(service.url))).toBeLessThan(3)
  const parent = await signIn(service.url, 'natasha', 'parent-password')
  const refused = async () =>
    expect(
      await order(parent, [school.porridgeFor(natasha.children[0]!, 5)]).catch((error: unknown) => error),
    ).toMatchObject({ status: 503, body: { code: 'event_store_unavailable' } })
  // While one waits for the store to be known as this school's, the next one does not wait anew.
  for (let time = 1; time <= 2; time += 1)
    expect(await seconds(() => Promise.all([refused(), pause(1_500).then(refused)]))).toBeLessThan(6.5)
  await node.start()
  await eventually(async () => (await readiness(service.url)).status === 200)
  await service.stop()
  await infrastructure.close()
})

test('a command does not: it says what is away', async () => {
  node.stop()
  const opening = openInfrastructure(school.config, { log, opening: 'school' })
  await expect(opening).rejects.toThrow(StartError)
  await expect(opening).rejects.toThrow(/^The event store at \S+ cannot be reached: /)
  await node.start()
})

test('one that comes back with the events of another school is refused, once it is there', async () => {
  node.stop()
  let refused: StartError | null = null
  const environment = {
    log,
    now: school.now,
    webRoot: null,
    demo: false,
    onRefused: (error: StartError) => void (refused = error),
  }
  const other = await startNode()
  const url = other.url()
  other.stop()
  const infrastructure = await openInfrastructure({ ...school.config, EVENTSTORE_URL: url }, environment)
  const { eventStore } = infrastructure
  await other.start()
  await expect(eventStore.read(['mealSlot-1.20260916'])).rejects.toThrow(/and no school's id: set/)
  expect(String(refused)).toContain("and no school's id")
  await infrastructure.close()
  other.stop()
  await node.start()
})
