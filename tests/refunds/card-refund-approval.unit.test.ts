import { cardRefundBank } from './card-refund-bank'
import { bursar, orderRefund as first } from './refund-words'

const refused = (code: string) => expect.objectContaining({ code })

const owing = async () => {
  const bank = cardRefundBank()
  await bank.owe(first)
  return bank
}

describe('above what one administrator may let go', () => {
  test('the provider is asked once another has approved it, and once', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4000
    expect(await bank.ask(first)).toBeNull()
    expect(await bank.ask(first)).toBeNull()
    await expect(bank.ask(first, 2)).rejects.toEqual(refused('approval'))
    await expect(bank.inCash(first)).rejects.toEqual(refused('approval'))
    expect(bank.provider.asked).toEqual([])
    await expect(bank.approve(first, bursar)).rejects.toEqual(refused('approval_own'))
    const answers = await Promise.allSettled([bank.approve(first, 6), bank.approve(first, 7)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(bank.provider.asked).toHaveLength(1)
    expect(await bank.refund(first)).toMatchObject({ status: 'paid_back', payouts: [{ method: 'card' }] })
  })

  test('the provider is not asked where one person may have both accounts', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4000
    bank.school.tied.add(bursar)
    await bank.ask(first)
    await expect(bank.approve(first, 6)).rejects.toEqual(refused('approval_own'))
    expect(bank.provider.asked).toEqual([])
  })

  test('what failed and is paid in another way counts once for the day', async () => {
    const bank = await owing()
    bank.school.approvalAbove = 4550
    Object.assign(bank.provider, {
      carryOut: null,
      answer: { kind: 'refused', code: '999', explanation: 'Refund failed' },
    })
    expect(await bank.ask(first)).toMatchObject({ state: 'failed' })
    expect(await bank.inCash(first)).toMatchObject({ status: 'paid_back' })
  })
})
