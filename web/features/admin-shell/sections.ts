import type { FeatureName } from '#contracts/identity'

/** The console's sections in their order (administrator.md section 2.2). */
export const sections: readonly { key: FeatureName; label: string }[] = [
  { key: 'menu', label: 'Menu Management' },
  { key: 'kitchen', label: 'Kitchen View' },
  { key: 'cycles', label: 'Order Cycles' },
  { key: 'history', label: 'Cycle History' },
  { key: 'live_orders', label: 'Live Orders' },
  { key: 'revenue', label: 'Revenue Stats' },
  { key: 'refunds', label: 'Refund Management' },
  { key: 'admins', label: 'Admin Users' },
  { key: 'parents_students', label: 'Parents & Students' },
  { key: 'settings', label: 'Settings' },
  { key: 'order_recovery', label: 'Order Recovery' },
  { key: 'pending_payments', label: 'Pending Payments' },
]

export type Section = (typeof sections)[number]

type Holder = { isSuperadmin: boolean; allowedFeatures: readonly FeatureName[] }

/** The sections this administrator holds; superadmin holds all. */
export const sectionsOf = (user: Holder): Section[] =>
  sections.filter((section) => user.isSuperadmin || user.allowedFeatures.includes(section.key))

/** The section named in the address when it is held; otherwise the default, which is menu or the first held. */
export const chosenSection = (held: Section[], key: string | null): Section | null =>
  held.find((section) => section.key === key) ?? held[0] ?? null
