import { drawSignIn } from '../../web/app/draw'

test('the sign-in screen is drawn with the name of the school, and leaves nothing for the build to wait for', async () => {
  jest.useFakeTimers()
  expect(await drawSignIn('Lusaka Test School')).toContain('Lusaka Test School')
  expect(jest.getTimerCount()).toBe(0)
})
