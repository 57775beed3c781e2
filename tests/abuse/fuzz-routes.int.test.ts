import { saveSecurity } from '#contracts/identity'
import { addressOf } from '#platform/http/route'
import { allContracts } from './all-contracts'
import { firstWalk } from './first-walk'
import { fuzz } from './fuzz'
import { openFuzzSchool } from './fuzz-school'
import { targetsOf, unknownTo } from './targets'

const requests = Number(process.env.FUZZ_REQUESTS ?? 1_500)
const firstSeed = Number(process.env.FUZZ_SEED ?? 20_261_117)
// In so many requests every route is gone through at least once.
const perSchool = 5_000

/** Each round in a school of its own, so that it can be repeated by its seed alone. */
const rounds = Array.from(
  { length: Math.ceil(requests / perSchool) },
  (_, round) => firstSeed + round * 1_000,
)

let sentInAll = 0
afterAll(() => {
  process.stdout.write(`Fuzz: ${sentInAll} requests in all, first seed ${firstSeed}\n`)
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
    if (sent >= perSchool) expect(neverThrough).toEqual([])
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
