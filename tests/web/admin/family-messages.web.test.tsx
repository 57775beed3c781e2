import { render, screen } from '@testing-library/react'
import type { FamilyMessage } from '#contracts/find'
import { FamilyMessages } from '../../../web/features/families/family-screen'

const message = (more: Partial<FamilyMessage>): FamilyMessage => ({
  channel: 'mail',
  at: '2026-09-16T04:40:00.000Z',
  to: 'mutinta@example.org',
  subject: 'Your meals are ordered',
  state: 'sent',
  endedAt: null,
  tries: 0,
  failure: null,
  ...more,
})

test('names each message that did not arrive, on which channel, and why', () => {
  render(
    <FamilyMessages
      reachedBy={['mail', 'sms']}
      messages={[
        message({}),
        message({
          subject: 'How to pay',
          state: 'waiting',
          tries: 2,
          failure: 'the mail server answered 451',
        }),
        message({ subject: 'Refund', state: 'given_up', tries: 9, failure: 'the mail server answered 550' }),
        message({
          channel: 'sms',
          to: '+260977123456',
          subject: 'Reminder',
          state: 'unclear',
          failure: 'the gateway did not answer in time',
        }),
      ]}
    />,
  )
  expect(screen.getByText('Written to by email and SMS')).toBeInTheDocument()
  const when = '16 September 2026 at 06:40'
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    `Your meals are orderedMail to mutinta@example.org · ${when}Sent`,
    `How to payMail to mutinta@example.org · ${when}Because the mail server answered 451Not sent yet, 2 failed`,
    `RefundMail to mutinta@example.org · ${when}Because the mail server answered 550Did not arrive`,
    `ReminderSMS to +260977123456 · ${when}Because the gateway did not answer in timePerhaps not sent`,
  ])
})

test('says that nothing reaches a family without an address and a verified phone', () => {
  render(<FamilyMessages reachedBy={[]} messages={[]} />)
  expect(screen.getByText('No message reaches this family')).toBeInTheDocument()
  expect(screen.getByText('No message was written.')).toBeInTheDocument()
})
