import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getCycleLength, listCycles, getCutoff, previewCutoff, saveCutoff } from '#contracts/cycles'
import { getCommunication, saveCommunication } from '#contracts/identity'
import { type ClassListEntry, classList, kitchenToday, kitchenWeek } from '#contracts/kitchen'
import { getOrderingRules, saveOrderingRules } from '#contracts/ordering'
import { getPrivacySettings } from '#contracts/privacy'
import { setSchoolNow } from '../../../web/lib/school-moment'
import { type FakeServer, fakeServer, refusal, FakeRefusal } from './fake-server'
import { adminWith, forgetToasts, openConsole, shownAddress } from './open-console'
import { onePage } from './sample-settings'

let server: FakeServer
afterEach(forgetToasts)

describe('class lists', () => {
  const lunch = (more: Partial<ClassListEntry>): ClassListEntry => ({
    id: '11.2026-09-15.1',
    grade: '2',
    class: null,
    student: 'Chipo Banda',
    menuItem: 'Nshima Plate',
    category: 'beef',
    sideDish: 'Rape',
    comments: 'No onions',
    status: 'pending',
    paymentStatus: 'confirmed',
    absent: false,
    allergies: null,
    diet: 'none',
    medicalNote: null,
    tellApart: null,
    ...more,
  })
  const date = '2026-09-15'
  const total = {
    weekNumber: 1,
    dayOfWeek: 2,
    mealDate: date,
    menuItemId: 1,
    menuItem: 'Nshima Plate',
    type: 'primary' as const,
    total: 2,
    unpaid: 0,
    completed: 0,
    cancelledLate: 0,
    proteins: [],
    sides: [],
    plates: [],
    pendingOrderIds: [],
  }

  beforeEach(() => {
    server = fakeServer()
    server.on(getCycleLength, { cycleLength: 4 })
    server.on(listCycles, [])
    server.on(kitchenToday, {
      date,
      data: [],
      metadata: onePage,
      totals: [total],
      allergies: null,
      planned: [],
    })
    server.on(classList, ({ query }) => ({
      date,
      data: [
        lunch({}),
        lunch({ id: '12.2026-09-15.1', student: 'Luse Phiri', paymentStatus: 'pending', comments: '' }),
        lunch({ id: '13.2026-09-15.1', student: 'Wezi Zulu', grade: '9' }),
      ].filter(({ grade }) => query.grade === undefined || grade === query.grade),
      grades: ['2', '9'] as ClassListEntry['grade'][],
    }))
  })

  const open = (address = `/?list=${date}`) => openConsole(address, adminWith('kitchen'))
  test('are opened from a day of the kitchen, and lead back to it', async () => {
    const user = open('/')
    await user.click(await screen.findByRole('button', { name: 'Class lists of Tuesday' }))
    expect(await screen.findByRole('heading', { name: 'Tuesday, 15 September 2026' })).toBeInTheDocument()
    expect(shownAddress()).toBe('/?list=2026-09-15')
    expect(server.asked(classList).map(({ query }) => query)).toEqual([
      { date, sort: 'name', direction: 'asc' },
    ])
    await user.click(screen.getByRole('button', { name: 'Back to portions' }))
    expect(await screen.findByText('Primary Portions')).toBeInTheDocument()
  })

  test('name who gets what, class by class', async () => {
    open()
    const heading = await screen.findByRole('heading', { name: 'Grade 2' })
    const card = within(heading.closest('div.card') as HTMLElement)
    expect(card.getByText(/^2 lunches/)).toBeInTheDocument()
    expect(
      card
        .getAllByRole('row')
        .slice(1)
        .map((row) => row.textContent),
    ).toEqual(['Chipo BandaNshima PlateBeefRapeNo onions', 'Luse PhiriNshima Plate · unpaidBeefRape'])
    expect(screen.getByRole('heading', { name: 'Grade 9' })).toBeInTheDocument()
  })

  test('say which of two children of one name it is', async () => {
    server.on(classList, { date, data: [lunch({ tellApart: '2231' }), lunch({ id: '2' })], grades: ['2'] })
    open()
    expect(await screen.findAllByText(/^Two of this name: 2231$/)).toHaveLength(1)
  })

  test('say who is ill and does not eat', async () => {
    server.on(classList, { date, data: [lunch({ absent: true })], grades: ['2'] })
    open()
    expect(await screen.findByText('· ill')).toBeInTheDocument()
  })

  test('are narrowed to one class by the server, and the class stands in the address', async () => {
    const user = open()
    await screen.findByRole('heading', { name: 'Grade 2' })
    await user.selectOptions(screen.getByLabelText('Class'), 'Grade 9')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Grade 2' })).not.toBeInTheDocument())
    expect(screen.getAllByRole('table')).toHaveLength(1)
    expect(shownAddress()).toBe(`/?list=${date}&grade=9`)
    expect(server.asked(classList).at(-1)?.query).toMatchObject({ date, grade: '9' })
  })

  test('show what a shared address asks for: class, payment and order; the way back takes that with it', async () => {
    const user = open(`/?week=1&list=${date}&grade=2&paymentStatus=pending&sort=meal&direction=desc`)
    await screen.findByRole('heading', { name: 'Grade 2' })
    expect(server.asked(classList).map(({ query }) => query)).toEqual([
      { date, grade: '2', paymentStatus: 'pending', sort: 'meal', direction: 'desc' },
    ])
    expect(screen.getByLabelText('Payment')).toHaveProperty('value', 'pending')
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Student, A to Z')
    expect(shownAddress()).toBe(`/?week=1&list=${date}&grade=2&paymentStatus=pending`)
    server.on(kitchenWeek, { data: [], metadata: onePage, totals: [], allergies: null, planned: [] })
    await user.click(screen.getByRole('button', { name: 'Back to portions' }))
    expect(shownAddress()).toBe('/?week=1')
  })

  test('are sorted by the heads of their tables, all classes at once', async () => {
    const user = open()
    const [meal] = await screen.findAllByRole('button', { name: 'Meal' })
    await user.click(meal as HTMLElement)
    expect(shownAddress()).toBe(`/?list=${date}&sort=meal`)
    const sorted = screen.getAllByRole('columnheader', { name: 'Meal' })
    expect(sorted.map((head) => head.getAttribute('aria-sort'))).toEqual(['ascending', 'ascending'])
    await waitFor(() => expect(server.asked(classList).at(-1)?.query).toMatchObject({ sort: 'meal' }))
  })

  test('that hold nobody of a class say that others are there', async () => {
    open(`/?list=${date}&grade=12`)
    expect(await screen.findByText('No lunch of this day matches the choice above.')).toBeInTheDocument()
    expect(screen.getByLabelText('Class')).toHaveProperty('value', '12')
  })

  test('stand class by class where children have one, those of the smallest first', async () => {
    server.on(classList, {
      date,
      data: [
        lunch({ id: '1', grade: '2', class: '2B', student: 'Abel Zulu' }),
        lunch({ id: '2', grade: '2', class: '2A' }),
        lunch({ id: '3', grade: '2', class: null }),
        lunch({ id: '4', grade: '10', class: '10 East' }),
        lunch({ id: '5', grade: '9', class: '9 East' }),
      ],
      grades: ['2', '9', '10'],
    })
    open()
    await screen.findByRole('heading', { name: '2A' })
    const headings = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)
    expect(headings.slice(-5)).toEqual(['2A', '2B', 'Grade 2', '9 East', '10 East'])
  })

  test('say once that nobody has declared allergies', async () => {
    open()
    expect(await screen.findByText('No family has told us about allergies yet.')).toBeInTheDocument()
    expect(screen.queryByRole('columnheader', { name: 'Allergies' })).not.toBeInTheDocument()
  })

  test('tell allergies large, say that there are none, and nothing where they are not declared', async () => {
    server.on(classList, {
      date,
      data: [
        lunch({ id: '1', allergies: ['Peanuts', 'Milk'], medicalNote: 'Pen in the office' }),
        lunch({ id: '2', allergies: [] }),
        lunch({ id: '3', allergies: null }),
      ],
      grades: ['2'],
    })
    open()
    expect(await screen.findByText('Allergies: Peanuts, Milk')).toHaveClass('allergies-declared')
    fireEvent(window, new Event('beforeprint'))
    const note = document.documentElement.style.getPropertyValue('--paper-note')
    expect(note).toBe('"Nothing about allergies: the family has not told us."')
    const cells = screen.getAllByRole('row').map((row) => row.lastElementChild?.textContent)
    expect(cells).toEqual(['Allergies', 'Allergies: Peanuts, Milk · Pen in the office', 'No allergies', ''])
  })

  test('are printed one class a page when asked for, which stands in the address', async () => {
    const user = open()
    await user.click(await screen.findByRole('checkbox', { name: 'One class a page' }))
    expect(shownAddress()).toBe(`/?list=${date}&apart=yes`)
    expect(screen.getByRole('checkbox', { name: 'One class a page' })).toBeChecked()
    await user.click(screen.getByRole('checkbox', { name: 'One class a page' }))
    expect(shownAddress()).toBe(`/?list=${date}`)
  })

  test('tell on paper what they are and when they were printed, by the school’s clock', async () => {
    const print = jest
      .spyOn(window, 'print')
      .mockImplementation(() => fireEvent(window, new Event('beforeprint')) as never)
    setSchoolNow('2031-05-06T05:05:00.000Z')
    const user = open()
    await screen.findByRole('heading', { name: 'Grade 2' })
    await user.click(screen.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledTimes(1)
    const foot = document.documentElement.style.getPropertyValue('--paper')
    expect(foot).toMatch(/^"Class lists of Tuesday, 15 September 2026 · printed 6 May 2031 at 07:0\d"$/)
    setSchoolNow(new Date().toISOString())
  })

  test('without orders say so', async () => {
    server.on(classList, { date, data: [], grades: [] })
    open()
    expect(await screen.findByText('No orders found')).toBeInTheDocument()
  })

  test('that could not be read say so', async () => {
    server.on(classList, () => refusal(503, 'unavailable', 'The database is away'))
    open()
    expect(await screen.findByText('Failed to fetch orders')).toBeInTheDocument()
  })
})

describe('cutoff and contacts', () => {
  const contacts = { supportEmail: 'lunch@example.com', whatsappNumber: '+260 97 1' }
  const rules = {
    cancelUntil: 'hour' as const,
    lateRemedy: 'credit' as const,
    absence: 'none' as const,
    absencePercent: 100,
    lowPortions: 10,
    plans: false,
    buyingMargin: 5,
  }
  const unanswered = () => {
    throw new FakeRefusal(502, null)
  }
  beforeEach(() => {
    server = fakeServer()
    server.on(getCutoff, { cutoffHour: 8, cutoffMinute: 0, daysBefore: 0, schoolDaysOnly: true })
    server.on(previewCutoff, { closes: [] })
    server.on(saveCutoff, { cutoffHour: 9, cutoffMinute: 5, daysBefore: 0, schoolDaysOnly: true })
    server.on(getOrderingRules, rules)
    server.on(getCommunication, contacts)
    server.on(getPrivacySettings, { dataProtectionOfficer: '' })
    server.on(saveCommunication, contacts)
  })

  const open = (tab: string) => openConsole(`/settings?tab=${tab}`, adminWith('settings'))
  type Hands = ReturnType<typeof open>
  const retype = async (user: Hands, label: string, text: string) => {
    const field = await screen.findByLabelText(label)
    await user.clear(field)
    if (text) await user.type(field, text)
  }

  const save = (user: Hands) => user.click(screen.getByRole('button', { name: /^Save C/ }))

  const saveRules = (user: Hands) => user.click(screen.getByRole('button', { name: 'Save Ordering Rules' }))

  describe('the cutoff', () => {
    test('is hour and minute, written out, and saved', async () => {
      const user = open('order-settings')
      await retype(user, 'Hour', '9')
      await retype(user, 'Minute', '5')
      expect(screen.getByText(/^From 09:05 on/)).toBeInTheDocument()
      await save(user)
      expect(await screen.findByText('Cutoff time settings saved successfully')).toBeInTheDocument()
      const days = { daysBefore: 0, schoolDaysOnly: true }
      expect(server.asked(saveCutoff)[0]?.body).toEqual({ hour: 9, minute: 5, ...days })
    })

    test('that closes days at once asks first, and what was typed stays when it is not wanted', async () => {
      server.on(previewCutoff, { closes: ['2026-09-16', '2026-09-17'] })
      const user = open('order-settings')
      await retype(user, 'Days before the meal', '1')
      await save(user)
      const question = within(await screen.findByRole('dialog', { name: 'Close these days now?' }))
      expect(
        question.getByText(
          'Meals of Wednesday 16 September and Thursday 17 September close now: they can no longer be ordered or changed.',
        ),
      ).toBeInTheDocument()
      expect(server.asked(previewCutoff)[0]?.body).toEqual({
        hour: 8,
        minute: 0,
        daysBefore: 1,
        schoolDaysOnly: true,
      })
      await user.click(question.getByRole('button', { name: 'Cancel' }))
      expect(server.asked(saveCutoff)).toEqual([])
      expect(screen.getByLabelText('Days before the meal')).toHaveValue('1')
      await save(user)
      await user.click(await screen.findByRole('button', { name: 'Save and Close Them' }))
      expect(await screen.findByText('Cutoff time settings saved successfully')).toBeInTheDocument()
      expect(server.asked(saveCutoff)).toHaveLength(1)
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test('has an hour up to 23 and a minute up to 59', async () => {
      const user = open('order-settings')
      await retype(user, 'Hour', '24')
      await retype(user, 'Minute', '')
      await save(user)
      expect(await screen.findByText('Hour must be between 0 and 23')).toBeInTheDocument()
      expect(screen.getByText('Minute must be between 0 and 59')).toBeInTheDocument()
      expect(server.asked(saveCutoff)).toEqual([])
    })

    test('that could not be saved says so', async () => {
      server.on(saveCutoff, unanswered)
      const user = open('order-settings')
      await retype(user, 'Hour', '9')
      await save(user)
      expect(await screen.findByText('Failed to save cutoff time')).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      server.on(getCutoff, unanswered)
      open('order-settings')
      expect(await screen.findByText('Failed to fetch cutoff time settings')).toBeInTheDocument()
    })
  })

  describe('communication', () => {
    test('is an email address, which may be empty, and a number with its country code', async () => {
      const user = open('communication')
      expect(await screen.findByDisplayValue('lunch@example.com')).toBeInTheDocument()
      expect(screen.getByText(/^With the country code/)).toBeInTheDocument()
      await retype(user, 'Support email', '')
      await retype(user, 'WhatsApp number', '+260 96 2')
      await save(user)
      expect(await screen.findByText('Communication settings saved successfully')).toBeInTheDocument()
      expect(server.asked(saveCommunication)[0]?.body).toEqual({
        supportEmail: '',
        whatsappNumber: '+260 96 2',
      })
    })

    test('takes no address that is none', async () => {
      const user = open('communication')
      await retype(user, 'Support email', 'lunch')
      await save(user)
      expect(await screen.findByText('Please enter a valid email address')).toBeInTheDocument()
      expect(server.asked(saveCommunication)).toEqual([])
    })

    test('that could not be saved says so', async () => {
      server.on(saveCommunication, unanswered)
      const user = open('communication')
      await retype(user, 'Support email', 'a@example.com')
      await save(user)
      expect(await screen.findByText('Failed to save communication settings')).toBeInTheDocument()
    })

    test('that could not be read says so', async () => {
      server.on(getCommunication, unanswered)
      open('communication')
      expect(await screen.findByText('Failed to fetch communication settings')).toBeInTheDocument()
    })
  })

  describe('the ordering rules', () => {
    test('are shown as they are, and saved together', async () => {
      const changed = { ...rules, cancelUntil: 'cutoff', lateRemedy: 'refund', absence: 'credit' } as const
      server.on(saveOrderingRules, { ...changed, absencePercent: 50, lowPortions: 5 })
      const user = open('order-settings')
      const until = await screen.findByLabelText('Orders can be cancelled and changed')
      expect(until).toHaveValue('hour')
      expect(
        screen.getByText('Counts once orders can be cancelled for longer than an hour.'),
      ).toBeInTheDocument()
      await user.selectOptions(until, 'Until 08:00 on the day of the meal')
      await user.selectOptions(screen.getByLabelText(/^Late cancellations are paid back as/), 'Refund')
      await user.selectOptions(
        screen.getByLabelText(/^A paid meal of a child who is ill/),
        'Gives family credit',
      )
      await retype(user, 'Share of the price (%)', '50')
      await retype(user, 'Show how many are left below', '5')
      expect(screen.queryByText(/^Counts once/)).not.toBeInTheDocument()
      await saveRules(user)
      expect(await screen.findByText('Ordering rules saved successfully')).toBeInTheDocument()
      expect(server.asked(saveOrderingRules)[0]?.body).toEqual({
        ...changed,
        absencePercent: 50,
        lowPortions: 5,
      })
    })

    test('have a percent up to 100 and portions up to 1,000', async () => {
      const user = open('order-settings')
      await retype(user, 'Share of the price (%)', '101')
      await retype(user, 'Show how many are left below', '')
      await saveRules(user)
      expect(await screen.findByText('Percent must be a whole number from 0 to 100')).toBeInTheDocument()
      expect(screen.getByText('Portions must be a whole number from 0 to 1,000')).toBeInTheDocument()
    })

    test('that could not be saved say so', async () => {
      server.on(saveOrderingRules, unanswered)
      const user = open('order-settings')
      await screen.findByLabelText('Share of the price (%)')
      await saveRules(user)
      expect(await screen.findByText('Failed to save ordering rules')).toBeInTheDocument()
    })

    test('that could not be read say so', async () => {
      server.on(getOrderingRules, unanswered)
      open('order-settings')
      expect(await screen.findByText('Failed to fetch ordering rules')).toBeInTheDocument()
    })
  })
})
