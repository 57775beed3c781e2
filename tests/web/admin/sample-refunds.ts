/** What a listed refund says beside the meal: of Mary's family, paid with Airtel Money, and not asked back to a card. */
export const ofMary = {
  parent: { id: 7, username: 'mary.banda', name: 'Mary Banda', phone: '+260 971 234567' },
  payBy: 'airtel',
  reference: 'LP-7K3QW9',
  card: null,
} as const
