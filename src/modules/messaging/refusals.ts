import { refusalTable } from '#kernel/refusal'

export const { refusal, statuses: messagingStatuses } = refusalTable({
  contact_unavailable: [
    409,
    'The school has not set a support email address yet. Please contact the school office.',
  ],
  sms_unavailable: [409, 'SMS cannot be switched on: this installation has no SMS gateway'],
})
