import { giftOf, payoutApproval } from '#modules/credit/payout-approval.decide'
import {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
} from '#modules/credit/payouts'
import { creditGiven, type FamilyCredit, type FamilyCreditEvent } from '#modules/credit/family-credit'
import { familyCredit, type CreditCommand } from '#modules/credit/family-credit.decide'
import { mary, monday7 } from '../ordering/lunches'
import { specificationOf } from '../support/given-when-then'
import { given, paidOut, payOut } from './credit-words'

const [bursar, head] = [5, 6]
const payoutId = '0199c0de-0000-7000-8000-000000000201'
const judged = { userId: mary, payoutId, at: monday7.toISOString() }
const payout = {
  userId: mary,
  payoutId,
  amount: 4000,
  method: 'cash' as const,
  reference: null,
  by: bursar,
}
const asked = creditPayoutAsked({ ...payout, at: judged.at })
const approved = creditPayoutApproved({ ...judged, kind: 'payout', by: head })
const withdrawn = creditPayoutWithdrawn({ ...judged, kind: 'payout', by: head })

const approval = specificationOf(payoutApproval)
const credit = specificationOf<FamilyCredit, CreditCommand, FamilyCreditEvent>(familyCredit)
const gift = given('gift/1', 'gift', 5000, 5000)
const judge = (kind: 'approve' | 'withdraw', by: number) => ({ kind, payoutId, by, now: monday7 }) as const

describe('a payout of credit that one administrator may not let go', () => {
  test('is asked for', () => approval.given(gift).when({ kind: 'ask', payout, now: monday7 }).then(asked))
  test('is paid out once another approves it', () =>
    approval
      .given(gift, asked)
      .when(judge('approve', head))
      .then(approved, paidOut(1, 4000, 1000)))
  test('is never approved by whoever asked', () =>
    approval.given(gift, asked).when(judge('approve', bursar)).refused('approval_own'))
  test('is approved once', () => {
    const done = [gift, asked, approved, paidOut(1, 4000, 1000)] as const
    approval
      .given(...done)
      .when(judge('approve', head))
      .nothingHappens()
    approval
      .given(...done)
      .when(judge('approve', 7))
      .refused('no_approval')
    approval
      .given(...done)
      .when(judge('withdraw', head))
      .refused('no_approval')
  })
  test('is at most the balance that is then there', () =>
    approval
      .given(gift, asked, paidOut(2, 2000, 3000))
      .when(judge('approve', head))
      .refused('payout_exceeds_balance'))
  test('is withdrawn by whoever asked or by another, once', () => {
    approval.given(gift, asked).when(judge('withdraw', head)).then(withdrawn)
    approval.given(gift, asked, withdrawn).when(judge('withdraw', bursar)).nothingHappens()
    approval.given(gift, asked, withdrawn).when(judge('approve', head)).refused('no_approval')
  })
  test('is withdrawn with everything else when the family gives its credit up', () => {
    const all = { kind: 'withdraw-all', by: head, now: monday7 } as const
    approval.given(gift, asked).when(all).then(withdrawn)
    approval.given(gift, asked, withdrawn).when(all).nothingHappens()
  })
  test('sent again waits, and is nothing else', () => {
    credit.given(gift, asked).when(payOut(1, 4000)).nothingHappens()
    credit.given(gift, asked).when(payOut(1, 3000)).refused('idempotency_key_reused')
    credit.given(gift, asked, withdrawn).when(payOut(1, 4000)).refused('approval_withdrawn')
  })
  test('that nobody asked for cannot be approved', () =>
    approval.given(gift).when(judge('approve', head)).refused('payout_not_found'))
})

describe('a gift of more credit than one administrator may give', () => {
  const present = { userId: mary, payoutId, amount: 6000, text: 'Fête', by: bursar }
  const giftAsked = creditGiftAsked({ ...present, at: judged.at })
  const give = (amount: number) =>
    ({ kind: 'give', entry: giftOf({ ...present, amount }), now: monday7 }) as const
  const done = { ...judged, kind: 'gift' as const, by: head }
  const is = creditGiven({ ...giftOf(present), balanceAfter: 6000, at: judged.at })

  test('is asked for', () =>
    approval.given().when({ kind: 'ask-gift', gift: present, now: monday7 }).then(giftAsked))
  test('is given once another approves it, and once', () => {
    approval.given(giftAsked).when(judge('approve', head)).then(creditPayoutApproved(done), is)
    approval.given(giftAsked, creditPayoutApproved(done), is).when(judge('approve', head)).nothingHappens()
    approval.given(giftAsked).when(judge('approve', bursar)).refused('approval_own')
  })
  test('sent again waits, and is nothing else', () => {
    credit.given(giftAsked).when(give(6000)).nothingHappens()
    credit.given(giftAsked).when(give(5000)).refused('idempotency_key_reused')
    credit.given(giftAsked, creditPayoutWithdrawn(done)).when(give(6000)).refused('approval_withdrawn')
  })
})
