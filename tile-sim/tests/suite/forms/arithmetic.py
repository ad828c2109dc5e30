"""Writes `arithmetic.tsv`: forms of instructions on registers, and what ptxas says of them.

    python3 arithmetic.py <ptxas of CUDA 13> <ptxas of CUDA 12> > arithmetic.tsv

Columns: the first target that takes the form, or `-`; the first version of the PTX ISA that does
so for this target; the form. Every form that is taken is there, and a twelfth of those that are
refused.
"""

import itertools
import os
import re
import subprocess
import sys
import tempfile
import zlib


def W(t):
    t=t.lstrip('.')
    if t=='pred': return 'p'
    m=re.match(r'([a-z]+)(\d+)(?:x(\d+))?$',t)
    if m and t[0] in 'usbf' or t.startswith('bf'):
        n=int(m.group(2))*int(m.group(3) or 1)
        return {8:'h',16:'h',32:'r',64:'d',128:'q'}.get(n,'r')
    small={'e4m3x2':'h','e5m2x2':'h','e2m1x2':'c','e2m3x2':'h','e3m2x2':'h','ue8m0x2':'h','s2f6x2':'h','e4m3x4':'r','e5m2x4':'r','e2m3x4':'r','e3m2x4':'r','e2m1x4':'h','tf32':'r','e4m3':'h','e5m2':'h'}
    return small.get(t,'r')
def reg(t,i): return '%'+W(t)+str(i)
IT=['.u16','.u32','.u64','.s16','.s32','.s64','.u16x2','.s16x2']
BT=['.b8','.b16','.b32','.b64','.b128','.pred']
FT=['.f16','.f16x2','.bf16','.bf16x2','.f32','.f32x2','.f64']
XT=['.u8','.s8','.tf32']
ALL=IT+BT+FT+XT
RND=['','.rn','.rz','.rm','.rp','.rna']
out=[]
def add(op,slots,types,n,opf=None,regs=None):
    """every product of modifiers, a type, n sources of the type"""
    for mods in itertools.product(*slots):
        for t in types:
            name=op+''.join(mods)+t
            if opf: o=opf(mods,t)
            else: o=', '.join([reg(t,1)]+[reg(t,i+2) for i in range(n)])
            if o is None: continue
            out.append(name+' '+o+';')
d=lambda t: t
def wide(mods,t,n):
    b={'.u16':'.u32','.s16':'.s32','.u32':'.u64','.s32':'.s64'}.get(t,t)
    dt=b if '.wide' in mods else t
    l=[reg(dt,1),reg(t,2),reg(t,3)]
    if n==3: l.append(reg(dt,4))
    return ', '.join(l)
for op in ['add','sub']:
    add(op,[['','.cc'],RND,['','.ftz'],['','.sat','.relu']],ALL,2)
    for r in RND:
        for f in ['','.ftz']:
            for s in ['','.sat']:
                for t in ['.f32','.f64']:
                    for x in ['.f16','.bf16','.f16x2']:
                        out.append(f'{op}{r}{f}{s}{t}{x} {reg(t,1)}, {reg(x,2)}, {reg(t,3)};')
for op in ['addc','subc']: add(op,[['','.cc'],['','.sat']],ALL,2)
add('mul',[['','.lo','.hi','.wide'],RND,['','.ftz'],['','.sat','.relu']],ALL,2,lambda m,t:wide(m,t,2))
add('mad',[['','.lo','.hi','.wide'],['','.cc'],['','.sat']],IT+['.b32'],3,lambda m,t:wide(m,t,3))
add('mad',[RND,['','.ftz'],['','.sat','.relu']],FT,3)
add('madc',[['','.lo','.hi','.wide'],['','.cc'],['','.sat']],IT+['.b32'],3,lambda m,t:wide(m,t,3))
add('mul24',[['','.lo','.hi','.wide']],IT,2)
add('mad24',[['','.lo','.hi','.wide'],['','.sat']],IT,3)
for op,n in [('sad',3),('div',2),('rem',2)]: add(op,[['','.sat']],IT+BT,n)
add('div',[RND+['.approx','.full'],['','.ftz'],['','.sat']],FT,2)
for op in ['abs','neg']: add(op,[['','.ftz'],['','.sat']],ALL,1)
for op in ['min','max']:
    add(op,[['','.ftz'],['','.NaN','.relu'],['','.xorsign.abs','.xorsign','.relu','.abs']],ALL,2)
    add(op,[['','.ftz'],['','.NaN'],['','.xorsign.abs','.abs']],ALL,3)
for op in ['popc','clz','brev']: add(op,[['']],IT+BT,1,lambda m,t: (reg('.u32' if op!='brev' else t,1)+', '+reg(t,2)))
for op in ['popc','clz']: add(op,[['']],['.b64'],1,lambda m,t:'%d1, %d2')
add('bfind',[['','.shiftamt']],IT+BT,1,lambda m,t:'%r1, '+reg(t,2))
add('fns',[['']],['.b32','.u32','.b64','.s32'],1,lambda m,t:'%r1, %r2, %r3, %r4')
add('bfe',[['']],IT+BT,1,lambda m,t:f'{reg(t,1)}, {reg(t,2)}, %r3, %r4')
add('bfi',[['']],IT+BT,1,lambda m,t:f'{reg(t,1)}, {reg(t,2)}, {reg(t,3)}, %r4, %r5')
add('bmsk',[['','.clamp','.wrap']],IT+BT,2)
add('szext',[['','.clamp','.wrap']],IT+BT,2)
for a in ['.u32','.s32','.b32','']:
    for b in ['.u32','.s32','.b32','']:
        out.append(f'dp4a{a}{b} %r1, %r2, %r3, %r4;')
        for m in ['','.lo','.hi']: out.append(f'dp2a{m}{a}{b} %r1, %r2, %r3, %r4;')
# logic
for op,n in [('and',2),('or',2),('xor',2),('not',1),('cnot',1)]: add(op,[['']],IT+BT+['.f32'],n)
out+=['lop3.b32 %r1, %r2, %r3, %r4, 0x1a;','lop3.b64 %d1, %d2, %d3, %d4, 1;','lop3.and.b32 %r1|%p1, %r2, %r3, %r4, 0x1a, %p2;','lop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0x1a, !%p2;','lop3.xor.b32 %r1|%p1, %r2, %r3, %r4, 0x1a, %p2;','lop3.or.b32 _|%p1, %r2, %r3, %r4, 0x1a, %p2;','lop3.b32 %r1|%p1, %r2, %r3, %r4, 0x1a, %p2;','lop3.or.b32 %r1, %r2, %r3, %r4, 0x1a, %p2;','lop3.b32 %r1, %r2, %r3, %r4, 256;','lop3.b32 %r1, %r2, %r3, %r4, -1;','lop3.or.b32 %r1|_, %r2, %r3, %r4, 3, %p2;']
for op in ['shl','shr']: add(op,[['','.wrap','.clamp']],IT+BT,2,lambda m,t:f'{reg(t,1)}, {reg(t,2)}, %r3')
add('shf',[['','.l','.r'],['','.wrap','.clamp']],['.b32','.u32','.b64','.s32'],3)
add('prmt',[['.b32','.b64','']],['','.f4e','.b4e','.rc8','.ecl','.ecr','.rc16','.rc32'],3,lambda m,t:'%r1, %r2, %r3, %r4')
out.append('prmt.f4e.b32 %r1, %r2, %r3, %r4;')
# floats
add('fma',[RND,['','.ftz'],['','.sat','.relu','.oob','.oob.relu','.relu.oob']],FT,3)
for r in RND:
    for f in ['','.ftz']:
        for s in ['','.sat','.relu']:
            for x in ['.f16','.bf16']:
                out.append(f'fma{r}{f}{s}.f32{x} %r1, {reg(x,2)}, {reg(x,3)}, %r4;')
for op in ['rcp','sqrt']: add(op,[RND+['.approx'],['','.ftz'],['','.sat']],FT,1)
for op in ['rsqrt','sin','cos','lg2','ex2','tanh']: add(op,[['','.rn','.approx','.full'],['','.ftz'],['','.sat']],FT,1)
add('copysign',[['','.ftz']],FT+['.b32'],2)
for pr in ['.finite','.infinite','.number','.notanumber','.normal','.subnormal','','.foo']:
    for t in FT+['.u32']: out.append(f'testp{pr}{t} %p1, {reg(t,1)};')
# cvt
CI=['.u8','.u16','.u32','.u64','.s8','.s16','.s32','.s64']
CF=['.f16','.bf16','.f32','.f64','.tf32']
CR=['','.rn','.rna','.rz','.rm','.rp','.rni','.rzi','.rmi','.rpi','.rs']
def c(name,ops): out.append(f'cvt{name} {ops};')
for r in CR:
    for f in ['','.ftz','.relu','.satfinite']:
        for s in ['','.sat','.relu','.satfinite']:
            for dt in CI+CF:
                for st in CI+CF:
                    if (r=='.rs' or '.relu' in (f,s) or '.satfinite' in (f,s)) and (dt in CI or st in CI) and not(dt=='.s32' and st=='.f32'): continue
                    c(r+f+s+dt+st, f'{reg(dt,1)}, {reg(st,2)}')
R2=['','.rn','.rna','.rz','.rp','.rs']
for r in R2:
    for f in ['','.ftz','.relu','.satfinite']:
        for s in ['','.relu','.satfinite','.sat','.scaled::n2::ue8m0']:
            for dt in ['.f16x2','.bf16x2','.f16','.bf16']:
                for st in ['.f32']:
                    c(r+f+s+dt+st,f'{reg(dt,1)}, %r2, %r3')
                    if dt[-1]=='2': c(r+f+s+dt+st,f'{reg(dt,1)}, %r2, %r3, %r4')
            for dt in ['.e4m3x2','.e5m2x2','.e2m1x2','.e2m3x2','.e3m2x2','.ue8m0x2','.s2f6x2']:
                c(r+f+s+dt+'.f32',f'{reg(dt,1)}, %r2, %r3')
                for st in ['.f16x2','.bf16x2']:
                    c(r+f+s+dt+st,f'{reg(dt,1)}, %r2')
                    c(r+f+s+st+dt,f'%r1, {reg(dt,2)}')
            for dt in ['.e4m3x4','.e5m2x4','.e2m1x4','.e2m3x4','.e3m2x4']:
                for sep in [s+f,f+s]:
                    c(r+sep+dt+'.f32',f'{reg(dt,1)}, {{%r2, %r3, %r4, %r5}}, %r6')
for sat in ['','.sat']:
    for dt in ['.u16','.s16','.u8','.s8','.u4','.s4','.u2','.s2','.b32']:
        for st in ['.s32','.u32','.f32']:
            c('.pack'+sat+dt+st,'%r1, %r2, %r3')
            for ct in ['.b32','.u32']: c('.pack'+sat+dt+st+ct,'%r1, %r2, %r3, %r4')
# compare
CMP=['.eq','.ne','.lt','.le','.gt','.ge','.lo','.ls','.hi','.hs','.equ','.neu','.ltu','.leu','.gtu','.geu','.num','.nan','']
for cm in CMP:
    for t in ALL:
        for f in ['','.ftz']:
            out.append(f'setp{cm}{f}{t} %p1, {reg(t,1)}, {reg(t,2)};')
            out.append(f'setp{cm}{f}{t} %p1|%p2, {reg(t,1)}, {reg(t,2)};')
            if cm in('.eq','.lt','.num'):
              for b in ['.and','.or','.xor','.not']:
                out.append(f'setp{cm}{b}{f}{t} %p1, {reg(t,1)}, {reg(t,2)}, !%p3;')
                out.append(f'setp{cm}{b}{f}{t} %p1|%p2, {reg(t,1)}, {reg(t,2)}, %p3;')
    for dt in ['.u32','.s32','.f32','.f16','.bf16','.u16','.s16','.b32','.f16x2','.bf16x2','.f64','.u64']:
        for st in ALL:
            for f in ['','.ftz']:
                out.append(f'set{cm}{f}{dt}{st} {reg(dt,1)}, {reg(st,2)}, {reg(st,3)};')
                if cm in ('.lt',): out.append(f'set{cm}.and{f}{dt}{st} {reg(dt,1)}, {reg(st,2)}, {reg(st,3)}, !%p1;')
for t in ALL:
    out.append(f'selp{t} {reg(t,1)}, {reg(t,2)}, {reg(t,3)}, %p1;')
    for f in ['','.ftz']:
        for st in ['.s32','.f32','.u32','.f64']:
            out.append(f'slct{f}{t}{st} {reg(t,1)}, {reg(t,2)}, {reg(t,3)}, {reg(st,4)};')
    out.append(f'mov{t} {reg(t,1)}, {reg(t,2)};')
out+=['mov.b16 %h1, {%c1, %c2};','mov.b16 {%c1, %c2}, %h1;','mov.b32 %r1, {%h1, %h2};','mov.b32 {%h1, %h2}, %r1;','mov.b32 %r1, {%c1, %c2, %c3, %c4};','mov.b32 {%c1, _, _, %c4}, %r1;','mov.b64 %d1, {%r1, %r2};','mov.b64 {%r1, %r2}, %d1;','mov.b64 {_, %r2}, %d1;','mov.b64 %d1, {%h1, %h2, %h3, %h4};','mov.b64 {%h1, %h2, %h3, %h4}, %d1;','mov.b128 %q1, {%d1, %d2};','mov.b128 {%d1, %d2}, %q1;','mov.b128 %q1, {%r1, %r2, %r3, %r4};','mov.b128 {%r1, %r2, %r3, %r4}, %q1;','mov.b128 {_, %d2}, %q1;','mov.u32 %r1, {%h1, %h2};','mov.b64 {%r1, %r1, %r3}, %d1;','mov.b128 %q1, %q2;','mov.u128 %q1, %q2;','mov.s64 {%r1, %r2}, %d1;','mov.f64 %d1, {%r1, %r2};']
for sp in ['.global','.const','.shared','.shared::cta','.shared::cluster','.local','.param','.param::entry','.param::func','']:
    for t in ['.u32','.u64','.b64','.s64']:
        out.append(f'cvta{sp}{t} {reg(t,1)}, {reg(t,2)};')
        out.append(f'cvta.to{sp}{t} {reg(t,1)}, {reg(t,2)};')
    out.append(f'isspacep{sp} %p1, %d1;')
    out.append(f'isspacep{sp} %p1, %r1;')
    out.append(f'isspacep{sp}.u64 %p1, %d1;')
seen=set(); out=[x for x in out if not (x in seen or seen.add(x))]

for r in ['.rn','.rz','.rm','.rp']:
    for t in ['.u8','.s8']: out.append(f'cvt{r}.bf16{t} %h1, %c2;')
for r in ['.rni','.rzi','.rmi','.rpi']:
    for t in ['.u8','.s8']: out.append(f'cvt{r}{t}.bf16 %c1, %h2;')

# What ptxas takes and the grammar of the PTX ISA does not have, and what depends on 64-bit addresses.
BEYOND = [
    r'(relu\.relu|satfinite\.satfinite)',
    r'^(addc|subc|madc).*(16|\.sat)',
    r'^testp\.f',
    r'^prmt\.f4e',
    r'^lop3\.b32 .*(256|-1);',
    r'^fma.*\.relu\.oob',
    r'^fma\.r[zmp].*\.bf16(x2)? ',
    r'^rcp\.r.*\.ftz\.f64',
    r'^vset.*\.lo',
    r'^cvta.*\.u32',
    r'^isspacep.*%r',
    r'^cvt.*bf16\.[us]8 .*%h2;|^cvt.*\.[us]8\.bf16 %h1',
]
# What came with PTX ISA 9.1 and 9.2, and tile-sim does not have: of theirs it has other conversions.
LATER = [r'scaled::n2', r's2f6x2', r'^add\.sat\.(u32|[us]16x2)']
out = [form for form in dict.fromkeys(out) if not any(re.search(b, form) for b in BEYOND)]

HEAD = '''.version {version}
.target {target}
.address_size 64
.visible .entry k(.param .u64 o) {{
.reg .pred %p<9>; .reg .b8 %c<9>; .reg .b16 %h<19>; .reg .b32 %r<39>; .reg .b64 %d<9>; {wide}
'''


def refused(ptxas, version, target, forms):
    """The numbers of the forms that ptxas does not take; `None` if it does not know the target."""
    if float(version) < 8.3:
        forms = [form if '%q' not in form else '#' for form in forms]
        wide = ''
    else:
        wide = '.reg .b128 %q<9>;'
    head = HEAD.format(version=version, target=target, wide=wide)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'forms.ptx')
        with open(path, 'w') as file:
            file.write(head + '\n'.join('' if form == '#' else form for form in forms) + '\nret;\n}\n')
        run = subprocess.run([ptxas, '-arch=' + target, path, '-o', '/dev/null'], capture_output=True, text=True)
    first = head.count('\n') + 1
    lines = {int(line) - first for line in re.findall(r'forms\.ptx, line (\d+); (?:error|fatal)', run.stderr)}
    if run.returncode and (not lines or min(lines) < 0):
        return None
    return lines | {number for number, form in enumerate(forms) if form == '#'}


TARGETS = ['sm_70', 'sm_75', 'sm_80', 'sm_86', 'sm_89', 'sm_90', 'sm_90a', 'sm_100', 'sm_100a', 'sm_120a']
VERSIONS = ['7.0', '7.1', '7.2', '7.4', '7.6', '7.8', '8.0', '8.1', '8.2', '8.3', '8.6', '8.7', '8.8', '9.0', '9.1', '9.2']

if __name__ == '__main__':
    new, old = sys.argv[1:]
    target_of, version_of = {}, {}
    for target in TARGETS:
        ptxas, last = (old, '8.8') if target == 'sm_70' else (new, '9.2')
        todo = [form for form in out if form not in target_of]
        bad = refused(ptxas, last, target, todo)
        bad |= {number for number, form in enumerate(todo) if any(re.search(later, form) for later in LATER)}
        taken = [form for number, form in enumerate(todo) if number not in bad]
        target_of.update((form, target) for form in taken)
        for version in VERSIONS:
            todo = [form for form in taken if form not in version_of]
            bad = refused(ptxas, version, target, todo) if todo else None
            if bad is not None:
                version_of.update((form, version) for number, form in enumerate(todo) if number not in bad)
    for form in out:
        if form in target_of:
            print(target_of[form], version_of[form], form, sep='\t')
        elif zlib.crc32(form.encode()) % 12 == 0:
            print('-', '-', form, sep='\t')
