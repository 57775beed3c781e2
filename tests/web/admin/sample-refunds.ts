/** What a listed refund says beside the meal: of Mary's family, paid with Airtel Money, and neither asked back to a card nor paid back. */
export const ofMary = {
  parent: { id: 7, username: 'mary.banda', name: 'Mary Banda', phone: '+260 971 234567' },
  payBy: 'airtel',
  reference: 'LP-7K3QW9',
  card: null,
  creditNote: null,
  approval: null,
  asked: null,
} as const

/** It may be completed; or nothing may be done about it. */
export const mayComplete = { complete: true, card: false, check: false, approve: false, withdraw: false }
export const mayNothing = { complete: false, card: false, check: false, approve: false, withdraw: false }
