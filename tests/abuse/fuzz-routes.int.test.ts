import * as fc from 'fast-check'
import { saveSecurity, convertToTeacher } from '#contracts/identity'
import { addressOf } from '#platform/http/route'
import { contextsOf } from '#platform/module'
import { expectRebuildEqualsLive } from '../support/rebuild-equals-live'
import { fuzz, faultOf, sender } from './fuzz'
import { type FuzzSchool, openFuzzSchool } from './fuzz-school'
import { type Role, people, rolesFor } from './people'
import { allContracts, soundRequestsTo } from './requests'
import { type FuzzTarget, targetsOf, unknownTo } from './targets'
import { firstWalk } from './walk'

describe('fuzz routes', () => {
  const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500)
  const firstSeed = Number(process.env.FUZZ_SEED ?? 20_261_117)
  const perSchool = 5_000

  /** Each round in a school of its own, so that it can be repeated by its seed alone. */
  const rounds = Array.from(
    { length: Math.ceil(requests / perSchool) },
    (_, round) => firstSeed + round * 1_000,
  )

  let sentInAll = 0
  const onlyRefused: string[][] = []
  // In so many requests every route is gone through at least once, if not in every school.
  afterAll(() => {
    process.stdout.write(`Fuzz: ${sentInAll} requests in all, first seed ${firstSeed}\n`)
    const [first = [], ...others] = onlyRefused
    expect(first.filter((route) => others.every((one) => one.includes(route)))).toEqual([])
  })

  test.each(rounds)(
    'no request of the fuzz breaks the service (FUZZ_SEED=%d)',
    async (seed) => {
      const { canteen, known, accounts, seen, superadminId } = await openFuzzSchool()
      const walked = await firstWalk(canteen)
      const report = await fuzz({
        walked,
        school: canteen,
        targets: targetsOf(canteen.routes, seen),
        known,
        accounts,
        requests: Math.min(requests, perSchool),
        seed,
        spared: ({ path, body }) =>
          path.startsWith(`/api/users/${superadminId}/password`) ||
          (path.startsWith(saveSecurity.path) && String(body).includes('"requireSecondFactor":true')),
      }).finally(canteen.close)
      const { requests: sent, statuses, neverThrough } = report
      sentInAll += sent
      process.stdout.write(
        `Fuzz with seed ${seed}: ${sent} requests to ${canteen.routes.length} routes, ${JSON.stringify(statuses)}; ` +
          `only refused: ${neverThrough.join(', ') || 'none'}\n`,
      )
      expect(report.faults).toEqual([])
      if (sent >= perSchool) onlyRefused.push(neverThrough)
      expect(sent).toBeGreaterThanOrEqual(Math.min(requests, perSchool))
    },
    300_000,
  )

  test('every route that is served is fuzzed, and every contract is served', async () => {
    const { canteen } = await openFuzzSchool()
    await canteen.close()
    expect(unknownTo(canteen.routes)).toEqual([])
    const served = new Set(canteen.routes.map(addressOf).map(({ method, path }) => `${method} ${path}`))
    expect(allContracts().filter(({ method, path }) => !served.has(`${method} ${path}`))).toEqual([])
  })
})

describe('races', () => {
  let school: FuzzSchool
  let targets: FuzzTarget[]
  beforeAll(async () => {
    school = await openFuzzSchool()
    targets = targetsOf(school.canteen.routes, school.seen)
  })
  afterAll(() => school.canteen.close())

  // Each of them would end the race for everybody: a second factor for all, and a parent who is none any more.
  const spared: string[] = [saveSecurity.path, convertToTeacher.path]

  /** The thing that a call writes: orders and the payments that become them are one, an account and its children too. */
  const thingOf = ({ path }: FuzzTarget): string => {
    const [, , first = ''] = path.split('/')
    if (/^(?:orders|payments|refunds|kitchen|pending-payments|discount)/.test(first)) return 'orders'
    return /^(?:students|parents|user|users|profile|admin-users|login|logout|register)/.test(first)
      ? 'accounts'
      : first
  }

  const writes = ({ method, path }: FuzzTarget) =>
    method !== 'GET' && path.startsWith('/api/') && !spared.includes(path)

  // Every pair in `npm run test:abuse`; each eighth of them where nothing is said.
  const step = process.env.FUZZ_REQUESTS === undefined ? 8 : 1

  const pairsOf = (all: readonly FuzzTarget[]) =>
    all.flatMap((one, index) =>
      all.slice(index).flatMap((other) => (thingOf(one) === thingOf(other) ? [[one, other] as const] : [])),
    )

  const roleFor = (target: FuzzTarget): Role => {
    const { admitted } = rolesFor(target.access)
    return admitted.includes('superadmin')
      ? 'superadmin'
      : admitted.includes('parent')
        ? 'parent'
        : admitted[0]!
  }

  test('two calls at once that write the same thing break nothing, whichever two they are', async () => {
    const { canteen, accounts, known, superadminId } = school
    const { send, close } = sender(canteen.url, 15_000)
    const crowd = people(canteen, accounts)
    const faults: string[] = []
    const all = pairsOf(targets.filter(writes))
    const pairs = all.filter((_pair, index) => index % step === 0)
    const ask = async (target: FuzzTarget, seed: number) => {
      const role = roleFor(target)
      const sound = soundRequestsTo(target, known).filter(
        ({ path }) => !path.startsWith(`/api/users/${superadminId}/password`),
      )
      const [request] = fc.sample(sound, { numRuns: 1, seed })
      const session = crowd.cookieOf(role)
      const answer = await send(request!, await session)
      const fault = faultOf(answer, { ...target, expected: target.method })
      if (fault) faults.push(`${fault}: ${target.name} by ${role}`)
      if (typeof answer !== 'string' && (answer.status === 401 || target.path === '/api/logout'))
        crowd.forget(role, session)
    }
    for (const [index, [one, other]] of pairs.entries())
      await Promise.all([ask(one, index), ask(other, index), ask(one, index + 1), ask(other, index + 1)])
    close()
    process.stdout.write(`Races: ${pairs.length} pairs of calls, each twice at once\n`)
    expect(faults).toEqual([])
    expect(all.length).toBeGreaterThan(200)
    const filled = ['ordering.orders', 'payments.attempts', 'refunds.refunds']
    const contexts = contextsOf(canteen.modules)
    await expectRebuildEqualsLive({ ...canteen.infrastructure, contexts, filled })
  }, 900_000)
})
