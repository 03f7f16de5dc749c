/** Light or dark as the reader prefers, one column, no script, nothing loaded. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f6f5f2;--card:#fff;--ink:#1d1f23;--soft:#5e636b;--line:#e3e1db;--accent:#b4532a;--agent:#c8643a;--human:#4d7ea8;--either:#a9a69e;--bad:#b3261e;--badground:#fdecea;--code:#f1efe9}
@media(prefers-color-scheme:dark){:root{--ground:#15171a;--card:#1e2125;--ink:#e8e6e1;--soft:#9ba1a9;--line:#30343a;--accent:#f0936a;--agent:#e07f54;--human:#6fa3cf;--either:#6b6f76;--bad:#ff8a80;--badground:#3a1d1b;--code:#272b30}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:54rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
h1{font-size:1.75rem;line-height:1.2;letter-spacing:-.015em;margin:0 0 .4rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.05rem;margin:2.4rem 0 .8rem;letter-spacing:.01em}
.soft,.kicker{color:var(--soft)}.kicker{font-size:.8rem;letter-spacing:.08em;text-transform:uppercase;margin:0 0 .5rem}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;margin:1.5rem 0 0;padding:0}
.figures div{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.8rem 1rem}
.figures dt{color:var(--soft);font-size:.8rem}.figures dd{margin:0;font-size:1.35rem;font-weight:650;font-variant-numeric:tabular-nums}
.figures small{display:block;font-size:.78rem;font-weight:400;color:var(--soft)}
.bar{display:flex;height:.7rem;border-radius:1rem;overflow:hidden;background:var(--line);margin:1.1rem 0 .5rem}
.bar i{display:block}.bar.slim{height:.35rem;margin:.45rem 0 .2rem;max-width:12rem}
.agent{background:var(--agent)}.human{background:var(--human)}.either{background:var(--either)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.85rem;color:var(--soft)}
.legend i{display:inline-block;width:.65rem;height:.65rem;border-radius:.2rem;margin-right:.4rem}
.commits{list-style:none;margin:0;padding:0;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
.commits li{padding:.75rem 1rem;border-top:1px solid var(--line)}.commits li:first-child{border-top:0}
.commits b{font-weight:600;overflow-wrap:anywhere}
details.session{background:var(--card);border:1px solid var(--line);border-radius:.9rem;margin:0 0 1rem;overflow:hidden}
details.session>summary{padding:1rem 1.15rem;list-style:none;display:flex;flex-wrap:wrap;gap:.1rem .7rem;align-items:baseline}
summary::-webkit-details-marker{display:none}
details.session>summary::before{content:"";width:.5rem;height:.5rem;border:solid var(--accent);border-width:0 2px 2px 0;transform:rotate(-45deg);transition:transform .15s}
details.session[open]>summary::before{transform:rotate(45deg)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:-3px;border-radius:.9rem}
summary strong{font-size:1.05rem}summary em{flex-basis:100%;font-style:normal;padding-left:1.2rem;overflow-wrap:anywhere}details[open]>summary em{display:none}.commits .soft{font-size:.85rem}summary span{color:var(--soft);font-size:.87rem}
.inside{border-top:1px solid var(--line);padding:.4rem 1.15rem 1.15rem}
.turn{position:relative;padding:1.1rem 0 .3rem 1.5rem;border-left:2px solid var(--line);margin-left:.3rem}
.turn::before{content:"";position:absolute;left:-.42rem;top:1.5rem;width:.7rem;height:.7rem;border-radius:50%;background:var(--accent);border:2px solid var(--card)}
.turn header{font-size:.82rem;color:var(--soft);margin-bottom:.45rem}.turn header b{color:var(--ink)}
.prompt{background:var(--code);border-radius:.2rem .9rem .9rem .9rem;padding:.7rem 1rem;margin:0 0 .7rem;white-space:pre-wrap;overflow-wrap:anywhere}
.answer{margin:.7rem 0 .4rem;white-space:pre-wrap;overflow-wrap:anywhere}
.tools{list-style:none;margin:0;padding:0;font-size:.9rem}
.tools li{padding:.16rem 0;overflow-wrap:anywhere}
.tools .name{font-weight:600;margin-right:.4rem}
code{font:.86em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--code);border-radius:.3rem;padding:.1em .35em;overflow-wrap:anywhere;white-space:pre-wrap}
.tools .denied{background:var(--badground);border-radius:.5rem;padding:.4rem .7rem;margin:.2rem -.7rem}
.bad{color:var(--bad);font-weight:600}
.tag{display:inline-block;border:1px solid var(--line);border-radius:1rem;font-size:.75rem;padding:.05rem .6rem;margin:.2rem .3rem .1rem 0;color:var(--soft)}
.tag.commit{border-color:var(--accent);color:var(--accent)}
.notes{font-size:.85rem;color:var(--soft);margin:1.1rem 0 0;padding-left:1.1rem}
footer{margin-top:2.5rem;font-size:.82rem;color:var(--soft)}
pre{margin:.2rem 0 .4rem;max-height:22rem;overflow:auto;background:var(--code);border-radius:.5rem;padding:.6rem .8rem;font:.8rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
@media(max-width:34rem){main{padding:1.5rem .9rem 3rem}h1{font-size:1.4rem}.figures{grid-template-columns:1fr 1fr;gap:.5rem}.inside{padding:.2rem .9rem 1rem}details.session>summary{padding:.9rem}.turn{padding-left:1.1rem}}
@media print{body{background:#fff}details.session{break-inside:auto}pre{max-height:none}}
`;
