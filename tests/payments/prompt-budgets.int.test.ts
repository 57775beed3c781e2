import { addStudent, currentUser, type Student } from '#contracts/identity'
import { createPayment, promptAgain, savePaymentBypass, verifyPayment } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { type Canteen, openCanteen, refused } from '../ordering/canteen'
import { superadminPassword } from '../support/school'

const nowhere = { name: '', number: '' }
const byPhone = {
  enabled: false,
  beside: false,
  prompt: true,
  unpaidUntil: 'never' as const,
  airtelMoney: nowhere,
  mtnMoney: nowhere,
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
  currentPassword: superadminPassword,
}
const morning = '2026-09-14T06:00:00+02:00'
const numbers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `0977${String(first + index).padStart(6, '0')}`)

const suite = (limits: 'on' | 'off', tests: (school: () => Canteen) => void) =>
  describe(`prompts with RATE_LIMITS=${limits}`, () => {
    let canteen: Canteen
    beforeAll(async () => {
      canteen = await openCanteen({ RATE_LIMITS: limits })
      await canteen.superadminClient.call(savePaymentBypass, { body: byPhone })
    })
    afterAll(() => canteen.close())
    beforeEach(async () => {
      canteen.setClock(morning)
      await canteen.infrastructure.database.pool.query('delete from payments.prompt_notes')
    })
    tests(() => canteen)
  })

type Family = { parent: Client; children: Student[]; userId: number }

const family = async (canteen: Canteen, username: string, children = 8): Promise<Family> => {
  const parent = await canteen.parent(username)
  const made: Student[] = []
  for (let child = 0; child < children; child += 1)
    made.push(await parent.call(addStudent, { body: { name: `Child${child} Banda`, grade: '9' } }))
  const { id: userId } = await parent.call(currentUser)
  return { parent, children: made, userId }
}

/** A meal of one child on one day each time, so that every prompt is a payment of its own. */
const pay = (canteen: Canteen, { parent, children }: Family, meal: number, customerPhone: string) => {
  const line = canteen.stewFor(children[Math.floor(meal / 4)]!, 2 + (meal % 4))
  return parent.call(createPayment, {
    body: { amount: 45.5, cartItems: [line], paymentMethod: 'airtel' as const, customerPhone },
  })
}
const again = ({ parent }: Family, id: string, body = {}) =>
  parent.call(promptAgain, { params: { id }, body })

const verify = (canteen: Canteen, userId: number, what: { phone?: string; email?: boolean }) =>
  canteen.infrastructure.database.pool.query(
    `update identity.users set phone = coalesce($2, phone), "phoneVerifiedAt" = case when $2::text is null then null else now() end,
       "emailVerifiedAt" = case when $3 then now() end where id = $1`,
    [userId, what.phone ?? null, what.email === true],
  )

const tokens = async (canteen: Canteen): Promise<number> => {
  const { rows } = await canteen.infrastructure.database.pool.query(
    'select count(*)::int as tokens from payments.attempts',
  )
  return rows[0].tokens
}

const beyond = { status: 429, code: 'too_many_prompts', retryAfter: expect.any(Number) }

suite('off', (school) => {
  test('a fourth number of a school day is refused, and nothing is held', async () => {
    const canteen = school()
    const mutale = await family(canteen, 'mutale')
    await verify(canteen, mutale.userId, { email: true })
    const [one, two, three, four] = numbers(100, 4)
    for (const [meal, number] of [one!, two!, three!].entries()) await pay(canteen, mutale, meal, number)
    const before = await tokens(canteen)
    const answer = await refused(pay(canteen, mutale, 3, four!))
    expect(answer).toMatchObject({ ...beyond, retryAfter: 18 * 3_600 })
    expect(await tokens(canteen)).toBe(before)
    await pay(canteen, mutale, 3, three!)
    canteen.setClock('2026-09-15T06:00:00+02:00')
    await pay(canteen, mutale, 5, four!)
  })

  test('Send again to a fourth number is refused alike, and the provider is not asked', async () => {
    const canteen = school()
    const bwalya = await family(canteen, 'bwalya')
    await verify(canteen, bwalya.userId, { email: true })
    const [one, two, three, four] = numbers(200, 4)
    for (const [meal, number] of [one!, two!].entries()) await pay(canteen, bwalya, meal, number)
    const { TransToken } = await pay(canteen, bwalya, 2, three!)
    canteen.setClock('2026-09-14T06:01:01+02:00')
    expect(await refused(again(bwalya, TransToken, { customerPhone: four! }))).toMatchObject(beyond)
    await again(bwalya, TransToken, { customerPhone: one! })
  })

  test.each([
    ['without a verified contact five', false, 5],
    ['with one twenty', true, 20],
  ])('%s an hour', async (_name, email, most) => {
    const canteen = school()
    const one = await family(canteen, `hourly${most}`)
    await verify(canteen, one.userId, { email })
    const used = numbers(most * 1_000, 3)
    for (let meal = 0; meal < most; meal += 1) await pay(canteen, one, meal, used[meal % 3]!)
    expect(await refused(pay(canteen, one, most, used[0]!))).toMatchObject({ ...beyond, retryAfter: 3_600 })
    canteen.setClock('2026-09-14T07:00:01+02:00')
    await pay(canteen, one, most, used[0]!)
  })

  test('a number that strangers used up rings for its own account, ten times an hour', async () => {
    const canteen = school()
    const number = '0977300001'
    for (let stranger = 0; stranger < 10; stranger += 1)
      await pay(canteen, await family(canteen, `stranger${stranger}`, 1), 0, number)
    const own = await family(canteen, 'owner')
    const other = await family(canteen, 'notowner', 1)
    expect(await refused(pay(canteen, other, 0, number))).toMatchObject({ status: 429 })
    await verify(canteen, own.userId, { phone: '0977 300 001' })
    for (let meal = 0; meal < 10; meal += 1) await pay(canteen, own, meal, number)
    expect(await refused(pay(canteen, own, 10, number))).toMatchObject(beyond)
  })

  test('a number is the own one after a payment that went to it alone', async () => {
    const canteen = school()
    const payer = await family(canteen, 'payer')
    const press = async (number: string) => {
      const page = await (await canteen.visitor().fetch(`/sandbox/phone/${number}`)).text()
      const prompt = [...page.matchAll(/name="prompt" value="([^"]+)"/g)].at(-1)![1]!
      await canteen.visitor().fetch(`/sandbox/phone/${number}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ choice: 'approve', prompt }).toString(),
      })
    }
    const [mine, victims] = numbers(310_000, 2)
    const mixed = await pay(canteen, payer, 0, mine!)
    canteen.setClock('2026-09-14T06:01:01+02:00')
    await again(payer, mixed.TransToken, { customerPhone: victims! })
    await press(mine!)
    await payer.parent.call(verifyPayment, { params: { transactionId: mixed.TransToken } })
    const plain = await pay(canteen, payer, 1, mine!)
    await press(mine!)
    await payer.parent.call(verifyPayment, { params: { transactionId: plain.TransToken } })
    canteen.setClock('2026-09-14T22:00:00+02:00')
    await pay(canteen, payer, 2, mine!)
    expect(await refused(pay(canteen, payer, 3, victims!))).toMatchObject({ code: 'prompt_at_night' })
  })

  test.each(['2026-09-14T22:00:00+02:00', '2026-09-15T04:59:59+02:00'])('at night (%s)', async (at) => {
    const canteen = school()
    const late = await family(canteen, `late${at.slice(8, 10)}`)
    const started = await pay(canteen, late, 0, '0977320001')
    canteen.setClock(at)
    const before = await tokens(canteen)
    const told = {
      status: 409,
      code: 'prompt_at_night',
      message: 'We do not ring phones that we do not know yet at night. Pay by card, or after 05:00.',
    }
    expect(await refused(pay(canteen, late, 1, '0977320001'))).toMatchObject(told)
    expect(await refused(again(late, started.TransToken))).toMatchObject(told)
    expect(await tokens(canteen)).toBe(before)
    await verify(canteen, late.userId, { phone: '+260977320001' })
    await pay(canteen, late, 1, '0977320001')
  })

  test('an unsent prompt, and one of a payment made meanwhile, count nothing', async () => {
    const canteen = school()
    const one = await family(canteen, 'unsent')
    for (let tries = 0; tries < 6; tries += 1) {
      const cartItems = [canteen.stewFor(one.children[0]!, 2)]
      const body = { amount: 1, cartItems, paymentMethod: 'airtel' as const, customerPhone: '0977330001' }
      expect(await refused(one.parent.call(createPayment, { body }))).toMatchObject({
        code: 'amount_mismatch',
      })
    }
    await pay(canteen, one, 0, '0977330001')
  })

  test('the address and the school count nobody', async () => {
    const canteen = school()
    await fill(canteen, 200)
    await pay(canteen, await family(canteen, 'uncounted', 1), 0, '0977340001')
  })
})

/** As if so many unverified accounts had asked from this machine's address. */
const fill = async (canteen: Canteen, prompts: number) => {
  const { pool } = canteen.infrastructure.database
  await pool.query(
    `insert into payments.prompt_notes (id, user_id, number, is_own, address, asked_at)
     select gen_random_uuid(), 100000 + one, one::text, false,
       coalesce((select address from payments.prompt_notes where address is not null limit 1), 'elsewhere'), $2
     from generate_series(1, $1) as one`,
    [prompts, canteen.now()],
  )
}

suite('on', (school) => {
  test('thirty an hour of an address, of accounts without a verified contact', async () => {
    const canteen = school()
    const first = await family(canteen, 'first', 1)
    await pay(canteen, first, 0, '0977400001')
    await fill(canteen, 28)
    await pay(canteen, first, 1, '0977400001')
    expect(await refused(pay(canteen, first, 2, '0977400001'))).toMatchObject(beyond)
    await verify(canteen, first.userId, { email: true })
    await pay(canteen, first, 2, '0977400001')
  })

  test('two hundred an hour of the school', async () => {
    const canteen = school()
    const second = await family(canteen, 'second', 1)
    await fill(canteen, 199)
    await pay(canteen, second, 0, '0977400002')
    expect(await refused(pay(canteen, second, 1, '0977400002'))).toMatchObject(beyond)
  })
})
