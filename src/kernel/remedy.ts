export const remedies = ['refund', 'credit'] as const
export type Remedy = (typeof remedies)[number]
