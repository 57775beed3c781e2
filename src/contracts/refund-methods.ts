/** How money is paid back to a family. */
export const refundMethods = ['manual', 'cash', 'mobile_money', 'bank', 'card'] as const
export type RefundMethod = (typeof refundMethods)[number]
