import type { ToastWords } from './toast'

/** Whether an act was not done but waits for another administrator. */
export const isWaiting = (reply: object): reply is { state: 'approval' } =>
  'state' in reply && reply.state === 'approval'

/** What an administrator is notified of when what they asked for waits. */
export const waitsWords: ToastWords = {
  title: 'Waits for approval',
  text: 'More would leave this account today than one administrator may let go. Another has to approve it.',
  kind: 'info',
}
