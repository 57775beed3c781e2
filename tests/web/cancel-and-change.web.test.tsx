import { act, renderHook, screen, waitFor, within } from '@testing-library/react'
import { type Receipt, getReceipt } from '#contracts/books'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import {
  type Order,
  cancelOrder,
  listOrders,
  getOrderingRules,
  changeOrder,
  moveOrder,
  setAbsence,
} from '#contracts/ordering'
import { useAllowedNow } from '../../web/features/orders/family-actions'
import { type FakeServer, FakeRefusal, refusal } from './admin/fake-server'
import { freshPortal, openPortal, shownAddress } from './open-portal'
import { cycle, order, orderingRules, parent, teacher, pizza, stew } from './sample-family'

let server: FakeServer

describe('history cancel window', () => {
  const minutes = 60_000
  // A phone whose clock is two days behind the school's.
  const phoneClock = Date.parse('2026-09-12T03:17:00.000Z')
  beforeEach(() => {
    server = freshPortal()
  })

  const forYet = (cancelForMs: number, more: Partial<Order> = {}) =>
    order({ allowed: { cancel: true, cancelForMs }, ...more })
  const later = async (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms))
  const offered = () => screen.queryAllByRole('button', { name: /^Cancel Order/ }).length
  const changes = () => screen.queryAllByRole('button', { name: /^Change Meal/ }).length
  const illnesses = () => screen.queryAllByRole('button', { name: /^Ill today/ }).length
  const takingsBack = () => screen.queryAllByRole('button', { name: /^Not ill after all/ }).length
  const refused = () => screen.queryAllByRole('button', { name: /^Cannot cancel/ }).length

  const open = async (orders: Order[], as = parent) => {
    server.on(listOrders, as === parent ? orders : { data: orders })
    openPortal('/?tab=orders', as)
    await screen.findByRole('region', { name: 'Orders for Chanda' })
    await later(0)
  }

  describe('while the page stays open', () => {
    beforeEach(() => {
      jest.useFakeTimers({ now: phoneClock, doNotFake: ['queueMicrotask'] })
    })
    afterEach(() => {
      jest.useRealTimers()
    })

    test('an order can be cancelled up to the last moment the server gave, and not after it', async () => {
      await open([forYet(15 * minutes)])
      await later(15 * minutes - 1_000)
      expect(offered()).toBe(1)
      await later(1_100)
      expect(offered()).toBe(0)
      expect(refused()).toBe(1)
    })

    test('each order has its own hour, and nothing is asked of the server for it', async () => {
      const asked = [forYet(5 * minutes), forYet(20 * minutes, { id: '1.2026-09-22.1', dayOfWeek: 2 })]
      await open(asked, teacher)
      expect(offered()).toBe(2)
      await later(6 * minutes)
      expect([offered(), refused()]).toEqual([1, 1])
      await later(15 * minutes)
      expect([offered(), refused()]).toEqual([0, 2])
      expect(server.asked(listOrders)).toHaveLength(1)
    })

    test('the last millisecond still counts', async () => {
      const orders = [forYet(minutes)]
      const { result } = renderHook(() => useAllowedNow(orders, phoneClock - 10_000))
      await later(50_000)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
      expect(result.current).toEqual(orders)
      await later(25)
      expect(result.current.map(({ allowed }) => allowed.cancel)).toEqual([false])
    })

    test('another meal can be chosen up to the last moment the server gave for that, and not after it', async () => {
      const allowed = { change: true, changeForMs: 5 * minutes, cancel: true, cancelForMs: 15 * minutes }
      await open([order({ allowed })])
      await later(5 * minutes - 1_000)
      expect([changes(), offered()]).toEqual([1, 1])
      await later(1_100)
      expect([changes(), offered()]).toEqual([0, 1])
      await later(10 * minutes)
      expect([changes(), offered()]).toEqual([0, 0])
    })

    test('"Ill today" appears when cancelling ends, and is gone at noon', async () => {
      const allowed = {
        cancelForMs: 15 * minutes,
        absentInMs: 15 * minutes + 1,
        absentForMs: 60 * minutes - 1,
      }
      await open([
        order({ allowed }),
        order({ id: '1.2026-09-22.1', dayOfWeek: 2, allowed: { cancel: false } }),
      ])
      expect([offered(), illnesses()]).toEqual([1, 0])
      await later(15 * minutes - 1_000)
      expect([offered(), illnesses()]).toEqual([1, 0])
      await later(1_100)
      expect([offered(), illnesses()]).toEqual([0, 1])
      await later(44 * minutes)
      expect(illnesses()).toBe(1)
      await later(minutes)
      expect(illnesses()).toBe(0)
      expect(server.asked(listOrders)).toHaveLength(1)
    })

    test('an absence can be taken back until noon', async () => {
      await open([
        order({ absent: true, allowed: { cancel: false, absent: true, absentForMs: 5 * minutes } }),
      ])
      expect(takingsBack()).toBe(1)
      await later(5 * minutes + 100)
      expect(takingsBack()).toBe(0)
    })

    test('what may not be cancelled when it is read never may', async () => {
      await open([order({ allowed: { cancel: false } })])
      expect(refused()).toBe(1)
      await later(120 * minutes)
      expect([offered(), refused()]).toEqual([0, 1])
    })

    test('a timer that slept is made good when the page is looked at again', async () => {
      await open([forYet(15 * minutes)])
      jest.setSystemTime(phoneClock + 16 * minutes)
      act(() => void document.dispatchEvent(new Event('visibilitychange')))
      expect(refused()).toBe(1)
    })
  })

  const ask = async (orders: Order[]) => {
    server.on(listOrders, orders)
    const hands = openPortal('/?tab=orders', parent)
    await hands.click((await screen.findAllByRole('button', { name: /^Cancel Order/ }))[0]!)
    const question = within(await screen.findByRole('dialog', { name: 'Cancel this order?' }))
    return { hands, question }
  }

  const inDays = (asPaidForMs: number | undefined) =>
    order({ allowed: { cancel: true, cancelForMs: 3 * 24 * 60 * minutes, asPaidForMs } })

  describe('where orders can be cancelled until the cutoff', () => {
    beforeEach(() => server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff' }))

    test('the hint says so', async () => {
      await ask([inDays(15 * minutes)])
      expect(
        screen.getByText('Orders can be cancelled until 08:00 on the day of the meal'),
      ).toBeInTheDocument()
    })
    test('while the rule is unknown, nobody is promised how the money goes back', async () => {
      server.on(getOrderingRules, () => new Promise(() => {}))
      const { question } = await ask([inDays(undefined)])
      expect(question.getByText(/goes back to you\.$/)).toBeInTheDocument()
    })
    test('within the hour the money goes back as it was paid', async () => {
      const { question } = await ask([inDays(15 * minutes)])
      expect(question.getByText(/becomes due for refund/)).toBeInTheDocument()
    })
    test.each([
      ['was over when the list was read', undefined],
      ['ended since', -1],
    ])('after it, as credit: it %s', async (_when, asPaidForMs) => {
      const { question } = await ask([inDays(asPaidForMs)])
      expect(question.getByText(/your K45\.00 becomes credit for your next orders/)).toBeInTheDocument()
    })
    test('or as a refund, as the school has it', async () => {
      server.on(getOrderingRules, { ...orderingRules, cancelUntil: 'cutoff', lateRemedy: 'refund' })
      const { question } = await ask([inDays(undefined)])
      expect(question.getByText(/becomes due for refund/)).toBeInTheDocument()
    })
  })

  describe('the question', () => {
    test.each([
      ['a free one', { discountedPrice: 0 }, /nothing to pay back/],
      ['a paid one', { discountedPrice: 36.5 }, /your K36\.50 becomes due for refund/],
      ['an unpaid one', { paymentStatus: 'pending' }, /If you have already paid its K45\.00, contact/],
    ] as const)('says what becomes of %s', async (_which, more, words) => {
      const { question } = await ask([order(more)])
      expect(question.getByText(words)).toBeInTheDocument()
    })

    test('after a cancellation the row says so with the answer, before the list is read again', async () => {
      const mealDate = '2031-09-15'
      const { hands, question } = await ask([
        order({ mealDate }),
        order({ id: '1.2026-09-22.1', dayOfWeek: 2, comments: 'No salt' }),
      ])
      server.on(cancelOrder, order({ mealDate, status: 'cancelled', allowed: { cancel: false } }))
      server.on(listOrders, () => new Promise(() => undefined))
      await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
      expect(
        await within(screen.getByRole('region', { name: 'Orders for Chanda' })).findByText('Order cancelled'),
      ).toBeTruthy()
      expect(offered()).toBe(1)
      expect(await screen.findByText('Total Spent', { exact: false })).toHaveProperty(
        'textContent',
        'Total Spent K45.00',
      )
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
      await waitFor(() => expect(document.activeElement?.textContent).toContain('Order cancelled'))
    })

    test('is closed by a refusal, which leaves nothing to try again', async () => {
      const { hands, question } = await ask([order()])
      server.on(cancelOrder, () => refusal(409, 'cancel_window_over', 'The hour is over'))
      await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
      expect(await screen.findByText('The hour is over')).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    })

    test.each([
      [
        'the server broke',
        () => {
          throw new FakeRefusal(502, null)
        },
        'Failed to cancel order',
      ],
      [
        'no answer came',
        () => {
          throw new TypeError('Failed to fetch')
        },
        'No answer came. Please check your connection and try again.',
      ],
    ])('stays for another try when %s', async (_how, answer, words) => {
      const { hands, question } = await ask([order()])
      server.on(cancelOrder, answer as () => never)
      await hands.click(question.getByRole('button', { name: 'Cancel Order' }))
      expect(await screen.findByText(words)).toBeInTheDocument()
      expect(question.getByRole('button', { name: 'Cancel Order' })).toHaveProperty('disabled', false)
    })
  })
})

describe('change order', () => {
  beforeEach(() => {
    server = freshPortal()
    server.on(listMenu, [
      { ...stew, categories: ['beef'], sideDishes: ['rice'] },
      { ...pizza, type: 'primary', categories: [], sideDishes: [], price: '30' },
    ])
  })
  const changeable = order({
    menuItem: { id: stew.id, name: stew.name, type: 'primary' },
    allowed: { change: true },
  })

  const openDialog = async () => {
    server.on(listOrders, [changeable])
    const hands = openPortal('/?tab=orders', parent)
    await hands.click(await screen.findByRole('button', { name: /^Change Meal/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Change this meal' }))
    return { hands, dialog }
  }

  test('another meal is chosen, and what it costs less becomes credit', async () => {
    server.on(changeOrder, changeable)
    const { hands, dialog } = await openDialog()
    await hands.selectOptions(await dialog.findByLabelText('Meal'), String(pizza.id))
    expect(dialog.getByText('K15.00 becomes credit for your next orders.')).toBeInTheDocument()
    await hands.click(dialog.getByRole('button', { name: 'Change Meal' }))
    expect(await screen.findByText('Meal changed')).toBeInTheDocument()
    expect(server.asked(changeOrder)[0]?.body).toEqual({
      menuItemId: pizza.id,
      category: null,
      sideDish: null,
      comments: '',
      discountedPrice: 30,
    })
  })

  test('without enough credit the dialog stays, with the words of the server', async () => {
    server.on(changeOrder, () => refusal(402, 'credit_short', 'There is not enough credit'))
    const { hands, dialog } = await openDialog()
    await hands.click(await dialog.findByRole('button', { name: 'Change Meal' }))
    expect(await screen.findByText('There is not enough credit')).toBeInTheDocument()
    expect(dialog.getByLabelText('Meal')).toBeInTheDocument()
  })

  test('"Ill today" tells the tuckshop', async () => {
    server.on(listOrders, [order({ allowed: { cancel: false, absent: true } })])
    server.on(setAbsence, order({ absent: true, absenceCredit: 45 }))
    const hands = openPortal('/?tab=orders', parent)
    await hands.click(await screen.findByRole('button', { name: /^Ill today/ }))
    expect(await screen.findByText('Chanda is ill today')).toBeInTheDocument()
    expect(screen.getByText('The kitchen knows. K45.00 credit.')).toBeInTheDocument()
    expect(server.asked(setAbsence)[0]?.body).toEqual({ absent: true })
  })

  test('waits for what the other meal leaves to choose, and words say what; the only one is chosen', async () => {
    const fish = { ...stew, id: 77, name: 'Fish', categories: ['bream', 'tilapia'], sideDishes: ['nshima'] }
    server.on(listMenu, [{ ...stew, categories: ['beef'], sideDishes: ['rice'] }, fish])
    const { hands, dialog } = await openDialog()
    await hands.selectOptions(await dialog.findByLabelText('Meal'), String(fish.id))
    const send = dialog.getByRole('button', { name: 'Change Meal' })
    expect(send).toBeDisabled()
    expect(send).toHaveAccessibleDescription('Choose a protein first')
    expect(dialog.getByLabelText('Side dish')).toHaveValue('nshima')
    await hands.selectOptions(dialog.getByLabelText('Protein'), 'bream')
    expect(send).toBeEnabled()
    expect(send).not.toHaveAccessibleDescription()
  })
})

describe('receipt', () => {
  const receipt: Receipt = {
    number: '2026-000123',
    kind: 'receipt',
    at: '2026-09-14T05:00:00.000Z',
    date: '2026-09-14',
    corrects: null,
    creditNotes: [],
    school: { name: 'Lusaka School', tpin: '1001234567', address: 'Church Road' },
    payer: 'Mutinta Mwila',
    method: 'airtel',
    paidFrom: { phone: '+260 97• ••• 456', own: true },
    references: ['LP-7K3QW9'],
    providerReference: 'MP260914.0705',
    lines: [
      {
        mealDate: '2026-09-15',
        student: 'Chanda',
        item: 'Stew',
        category: 'beef',
        sideDish: 'rice',
        originalPrice: 45,
        price: 40.5,
        credit: 5,
      },
    ],
    discount: 4.5,
    creditUsed: 5,
    surplus: 10,
    missing: 0,
    amount: 45.5,
    vat: { percent: 16, amount: 6.28 },
  }
  beforeEach(() => {
    server = freshPortal()
  })

  const paper = async () => within(await screen.findByRole('article'))

  test('a receipt says who paid what, when and how, with VAT and what was beyond the meals', async () => {
    server.on(getReceipt, receipt)
    openPortal('/receipts/2026-000123', parent)
    const paper = (await screen.findByRole('article')).textContent
    for (const words of [
      'Lusaka School',
      'Church Road',
      'TPIN 1001234567',
      'Receipt2026-00012314 September 2026',
      'Received fromMutinta Mwila',
      'Paid byAirtel Money',
      'Paid from+260 97• ••• 456',
      'Our referenceLP-7K3QW9',
      'TransactionMP260914.0705',
      'StewBeef · Rice · Chanda, Tue 15 SeptK45.00',
      'Discount−K4.50',
      'Family credit used−K5.00',
      'Became family creditK10.00',
      'ReceivedK45.50',
      'of it VAT 16 %K6.28',
    ])
      expect(paper).toContain(words)
  })

  test('a credit note leads to the receipt that it corrects', async () => {
    const note: Receipt = {
      ...receipt,
      number: 'CN2026-000001',
      kind: 'credit_note',
      corrects: '2026-000123',
    }
    server.on(getReceipt, ({ params }) =>
      params?.number === '2026-000123' ? { ...receipt, creditNotes: ['CN2026-000001'] } : note,
    )
    const hands = openPortal('/receipts/CN2026-000001', parent)
    expect((await paper()).getByRole('heading', { name: 'Credit note' })).toBeInTheDocument()
    await hands.click((await paper()).getByRole('link', { name: '2026-000123' }))
    expect(await screen.findByRole('heading', { name: 'Receipt' })).toBeInTheDocument()
    expect((await paper()).getByRole('link', { name: 'CN2026-000001' })).toBeInTheDocument()
  })

  test('one that is not there says so', async () => {
    server.on(getReceipt, () => refusal(404, 'receipt_not_found', 'Receipt not found'))
    openPortal('/receipts/2026-000999', parent)
    expect(await screen.findByText('Receipt not found')).toBeInTheDocument()
  })

  test('Order History leads to the receipt', async () => {
    server.on(listOrders, [order({ receiptNumber: '2026-000123' }), order({ id: '1.2026-09-22.1' })])
    server.on(getReceipt, receipt)
    const hands = openPortal('/?tab=orders', parent)
    await hands.click(await screen.findByRole('link', { name: 'Receipt 2026-000123' }))
    expect(shownAddress()).toBe('/receipts/2026-000123')
  })
})

describe('another day', () => {
  const movable = order({ allowed: { cancel: true, move: true } })
  beforeEach(() => {
    server = freshPortal()
    server.on(listMenu, [{ ...stew, daysOfWeek: [1, 2, 4, 5] }, pizza])
    server.on(listCycles, [cycle])
    server.on(listOrders, [movable, order({ id: '1.2026-09-18.1', mealDate: '2026-09-18', dayOfWeek: 5 })])
  })
  const openDialog = async () => {
    const hands = openPortal('/?tab=orders', parent)
    await hands.click(await screen.findByRole('button', { name: /^Another day: Stew for Chanda/ }))
    return { hands, dialog: within(await screen.findByRole('dialog', { name: 'Another day' })) }
  }

  test('offers the open days of the dish that the child has free, and moves the lunch', async () => {
    server.on(moveOrder, { ...movable, mealDate: '2026-09-15' })
    const { hands, dialog } = await openDialog()
    const day = await dialog.findByLabelText('Day')
    expect(
      within(day)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Choose a day', 'Tuesday, 15 September'])
    const send = dialog.getByRole('button', { name: 'Move Lunch' })
    expect(send).toBeDisabled()
    await hands.selectOptions(day, '2026-09-15')
    await hands.click(send)
    expect(await screen.findByText('Lunch moved')).toBeInTheDocument()
    expect(server.asked(moveOrder)).toMatchObject([{ body: { date: '2026-09-15' } }])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('a refusal is told in the words of the server, and the dialog stays', async () => {
    server.on(moveOrder, () => refusal(409, 'sold_out', 'This meal is sold out on this day'))
    const { hands, dialog } = await openDialog()
    await hands.selectOptions(await dialog.findByLabelText('Day'), '2026-09-15')
    await hands.click(dialog.getByRole('button', { name: 'Move Lunch' }))
    expect(await screen.findByText('This meal is sold out on this day')).toBeInTheDocument()
    expect(dialog.getByLabelText('Day')).toBeInTheDocument()
  })

  test('a dish that no other day has says so', async () => {
    server.on(listMenu, [{ ...stew, weekNumbers: [4] }])
    const { dialog } = await openDialog()
    expect(
      await dialog.findByText('Stew cannot be ordered on any other day of the cycle.'),
    ).toBeInTheDocument()
  })

  test('is not offered where the server does not allow it', async () => {
    server.on(listOrders, [order({ allowed: { cancel: true, move: false } })])
    openPortal('/?tab=orders', parent)
    await screen.findByRole('button', { name: /^Cancel Order: / })
    expect(screen.queryByRole('button', { name: /^Another day/ })).not.toBeInTheDocument()
  })
})
