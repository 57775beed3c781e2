import { screen } from '@testing-library/react'
import { stopReminders } from '#contracts/messages'
import { refusal, type FakeServer } from './admin/fake-server'
import { freshPortal, openPortal, press } from './open-portal'
import { parent } from './sample-family'

let server: FakeServer
beforeEach(() => {
  server = freshPortal()
})

const said = async (text: string | RegExp) => expect(await screen.findByText(text)).toBeInTheDocument()

test.each([
  ['nobody is signed in', null],
  ['somebody is', parent],
])('the link of a reminder stops reminders in one press, and by no look, where %s', async (_who, user) => {
  server.on(stopReminders, { message: 'You will get no more reminders' })
  const hands = openPortal('/stop/1a.0123456789abcdef', user)
  await said('Hill School reminds you on Thursday if no lunch is ordered for next week.')
  expect(server.asked(stopReminders)).toEqual([])
  await press(hands, 'Stop Reminders')
  await said('You will get no more reminders.')
  expect(server.asked(stopReminders).map(({ body }) => body)).toEqual([{ token: '1a.0123456789abcdef' }])
  expect(screen.getByRole('link', { name: 'To the portal' })).toHaveAttribute('href', '/')
})

test('a link that is unknown or too old says so', async () => {
  const message =
    'This link is not complete, or too old. You can stop reminders under Messages in your profile'
  server.on(stopReminders, () => refusal(404, 'stop_link_unknown', message))
  const hands = openPortal('/stop/1a.old', null)
  await press(hands, 'Stop Reminders')
  expect(await screen.findByRole('alert')).toHaveTextContent(`Reminders are not stopped${message}`)
  expect(screen.queryByRole('button', { name: 'Stop Reminders' })).not.toBeInTheDocument()
})

test('where no answer comes it can be pressed again', async () => {
  server.on(stopReminders, () => {
    throw new TypeError('Failed to fetch')
  })
  const hands = openPortal('/stop/1a.0123456789abcdef', null)
  await press(hands, 'Stop Reminders')
  await said('No answer came. Please check your connection and try again.')
  server.on(stopReminders, { message: 'You will get no more reminders' })
  await press(hands, 'Stop Reminders')
  await said('You will get no more reminders.')
})
