/** A whole number with thousands apart: "14,000,000". null is "unknown". */
export function formatCount(count: number | bigint | null): string {
  if (count === null) return "unknown";
  const digits = (typeof count === "bigint" ? count : BigInt(Math.round(count))).toString();
  return digits.replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A ratio with the digits that matter: "1.35", "34", "0.54". null is "unknown". */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return "unknown";
  return Math.abs(ratio) >= 10 ? ratio.toFixed(0) : Number(ratio.toFixed(2)).toString();
}

/** A share as percent: "92 %", "0.4 %". null is "unknown". */
export function formatShare(share: number | null): string {
  if (share === null) return "unknown";
  const percent = share * 100;
  return `${Math.abs(percent) >= 10 || percent === 0 ? percent.toFixed(0) : Number(percent.toFixed(1))} %`;
}
